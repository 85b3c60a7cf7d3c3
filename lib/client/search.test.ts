import { describe, expect, it } from 'vitest';
import type { Snapshot } from '@/lib/model/snapshot';
import { find } from './search';

const NOW = Date.UTC(2026, 11, 1, 14, 5, 33);
const judgement = { verdict: 'hanging', freshness: 'live', since: NOW, because: '' };
const snapshot = {
  at: NOW,
  stacks: [
    {
      id: 'main',
      name: 'main',
      judgement,
      incident: { id: 'i1' },
      nodes: [
        {
          id: 'main.router',
          name: 'router',
          role: 'router',
          url: 'http://127.0.0.1:30001',
          judgement,
          values: [{ key: 'num_queue_reqs', name: 'num_queue_reqs', source: 'metrics', v: 41, ageMs: 0 }],
          strip: [{ id: 'p1', outcome: 'zero-bytes', ended: true }],
        },
      ],
    },
  ],
} as unknown as Snapshot;
const names = (text: string) => find(text, snapshot, NOW, 'utc').map((one) => one.kind);

describe('the search', () => {
  it('finds a node by its name and by its port', () => {
    expect(find('30001', snapshot, NOW, 'utc').map((one) => one.to)).toEqual([{ path: '/targets/main.router' }]);
    expect(names('node router')).toEqual(['node']);
  });

  it('finds a probe, an incident and a page by their kind', () => {
    expect(names('probe')).toEqual(['probe']);
    expect(names('incident')).toContain('incident');
    expect(names('wall')).toEqual(['page']);
  });

  it('offers what can be done, each with all that it needs', () => {
    expect(find('experiment on router', snapshot, NOW, 'utc')[0]?.to).toEqual({ do: 'experiment', stack: 'main', targets: ['main.router'] });
    expect(find('acknowledge', snapshot, NOW, 'utc')[0]?.to).toEqual({ do: 'acknowledge', incident: 'i1' });
    expect(find('copy queue router', snapshot, NOW, 'utc')[0]?.to).toEqual({ do: 'number', text: '41' });
    expect(find('curl router', snapshot, NOW, 'utc')[0]?.to).toEqual({ do: 'curl', probe: 'p1' });
    expect(['copy link', 'pause', 'dark'].map((text) => find(text, snapshot, NOW, 'utc')[0]?.to)).toEqual([{ do: 'link' }, { do: 'hold' }, { do: 'theme' }]);
  });

  it('offers at a past second no deed to the stack, but the way back to live', () => {
    const then = find('do', snapshot, NOW, 'utc', true).map((one) => one.to);
    expect(then).toEqual([{ do: 'link' }, { do: 'live' }, { do: 'theme' }, { do: 'number', text: '41' }]);
  });

  it('offers to hold a moment that was typed', () => expect(find('now-15m', snapshot, NOW, 'utc')[0]?.to).toEqual({ at: NOW - 900_000 }));

  it('offers no moment that has not come yet', () => expect(names('23:00')).toEqual([]));

  it('finds pages before there is a picture', () => expect(find('', undefined, NOW, 'utc').every((one) => ['page', 'do'].includes(one.kind))).toBe(true));
});
