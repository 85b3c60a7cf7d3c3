import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '@/lib/config';
import { DEFAULTS } from '@/lib/model/config';
import { schema } from './schema';

function config(text: string, env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'wedgewatch-example-'));
  writeFileSync(join(folder, 'wedgewatch.yaml'), text);
  const loaded = loadConfig({ argv: [], env, cwd: folder });
  rmSync(folder, { recursive: true });
  if ('errors' in loaded) throw new Error(loaded.errors.join('\n'));
  return loaded.config;
}

describe('the example', () => {
  const text = readFileSync(fileURLToPath(new URL('../wedgewatch.example.yaml', import.meta.url)), 'utf8');

  it('is a good configuration that says the defaults', () => {
    const read = config(text);
    expect(read).toMatchObject({ probe: DEFAULTS.probe, scrape: DEFAULTS.scrape, listen: DEFAULTS.listen, retention: DEFAULTS.retention });
    expect(read.stacks[0]?.targets.map((target) => target.id)).toEqual(['pd.router', 'pd.mini-lb', 'pd.prefill', 'pd.decode']);
  });

  it('is still good with every commented setting switched on', () => {
    const all = text.replace(/^(\s*)# (?=(headers|apiKey: \{env|webhook|reference):?)/gm, '$1').replace(/^#( {3}(url|headers):)/gm, ' $1');
    expect(config(all, { SGLANG_API_KEY: 'k' })).toMatchObject({
      reference: 'http://127.0.0.1:9',
      webhook: { url: 'https://alerts.example.com/hooks/wedgewatch' },
    });
  });

  it('names every key that there is', () => {
    const keys = [...JSON.stringify(keysOf(schema.shape)).matchAll(/"(\w+)":/g)].map((match) => match[1]);
    expect(keys.length).toBeGreaterThan(25);
    expect(keys.filter((key) => !new RegExp(`^[\\s#{-]*.*\\b${key}:`, 'm').test(text))).toEqual([]);
  });
});

function keysOf(shape: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(shape).map(([key, node]) => [key, inner(node)]));
}

function inner(node: unknown): unknown {
  const zod = node as { unwrap?: () => unknown; element?: unknown; shape?: Record<string, unknown> };
  if (zod.shape) return keysOf(zod.shape);
  if (zod.element) return inner(zod.element);
  return zod.unwrap ? inner(zod.unwrap()) : {};
}
