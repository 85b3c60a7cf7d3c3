import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** The plural folders, and which of their files are shared machinery rather than members. */
const OPEN_SETS: Record<string, string[]> = {
  'lib/dialects': ['prometheus-text', 'redact', 'recognise', 'fingerprint'],
  'lib/probes': [],
  'lib/hypotheses': [],
  'lib/stores': ['store', 'conformance', 'delta', 'bucket'],
  'lib/notifiers': [],
  'lib/simulator/actions': [],
  'components/panels': [],
};

const root = fileURLToPath(new URL('..', import.meta.url));

describe.each(Object.entries(OPEN_SETS).filter(([folder]) => existsSync(join(root, folder))))('the open set %s', (folder, shared) => {
  const members = readdirSync(join(root, folder))
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\.d\.ts$|^index\./.test(name))
    .map((name) => name.replace(/\.tsx?$/, ''))
    .filter((name) => !shared.includes(name));
  const index = () => readFileSync(join(root, folder, 'index.ts'), 'utf8');

  it('lists exactly its members in its index', () => {
    const listed = [...index().matchAll(/from '\.\/([^']+)'/g)].map((match) => match[1] ?? '').filter((name) => !shared.includes(name));
    expect([...new Set(listed)].sort()).toEqual(members.sort());
  });

  it('has members that do not know each other', () => {
    const meetings = members.flatMap((name) => {
      const file = ['.ts', '.tsx'].map((ending) => join(root, folder, name + ending)).find(existsSync) ?? '';
      const others = [...readFileSync(file, 'utf8').matchAll(/from '\.\/([^']+)'/g)].map((match) => match[1] ?? '');
      return others.filter((other) => members.includes(other)).map((other) => `${name} -> ${other}`);
    });
    expect(meetings).toEqual([]);
  });
});
