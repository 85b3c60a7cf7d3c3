import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime';
import { renderToString } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { AT, dots } from '../samples/parts';
import { Strip } from './strips';

const strip = (count: number) =>
  renderToString(
    <SearchParamsContext.Provider value={new URLSearchParams()}>
      <Strip
        name="router"
        now={AT}
        dots={dots('router', count, (index) => (index === 0 ? { outcome: 'zero-bytes', late: true, ended: false, elapsedMs: 34_000 } : {}))}
      />
    </SearchParamsContext.Provider>,
  );

describe('the strip of probes', () => {
  it.each([0, 1, 7, 18])('has the same 18 places with %d probes, so that nothing moves when one more comes', (count) => {
    const complaint = vi.spyOn(console, 'error').mockImplementation(() => {});
    const html = strip(count);
    expect(html.match(/<li/g)).toHaveLength(18);
    expect(html.match(/<a /g) ?? []).toHaveLength(count);
    expect(complaint).not.toHaveBeenCalled();
    complaint.mockRestore();
  });

  it('shows the newest at the right, each a link with its finding in words', () => {
    const links = [...strip(3).matchAll(/href="([^"]+)"|aria-label="(probe [^"]+)"/g)].map((match) => match[1] ?? match[2]);
    expect(links.filter((text) => text?.startsWith('/probes/'))).toEqual(['/probes/router-1', '/probes/router-2', '/probes/router-3']);
    expect(links.filter((text) => text?.startsWith('probe')).at(-1)).toMatch(/zero bytes, 34 s$/);
  });
});
