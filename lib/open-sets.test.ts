import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** The plural folders, and how a member is told from the machinery that members share. */
const OPEN_SETS: Record<string, RegExp> = {
  'lib/dialects': /: Dialect =|satisfies Dialect\b/,
  'lib/probes': /: Probe =|satisfies Probe\b/,
  'lib/hypotheses': /: Hypothesis =|satisfies Hypothesis\b/,
  'lib/stores': /export function open\w+\(.*\): Store\b/,
  'lib/notifiers': /: Notifier =|satisfies Notifier\b/,
};

const root = fileURLToPath(new URL('..', import.meta.url));

describe.each(Object.entries(OPEN_SETS).filter(([folder]) => existsSync(join(root, folder))))('the open set %s', (folder, sign) => {
  const members = readdirSync(join(root, folder))
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\.d\.ts$|^index\./.test(name))
    .filter((name) => sign.test(readFileSync(join(root, folder, name), 'utf8')))
    .map((name) => name.replace(/\.tsx?$/, ''));
  const index = () => readFileSync(join(root, folder, 'index.ts'), 'utf8');

  it('has members', () => {
    expect(members.length).toBeGreaterThan(0);
  });

  it('lists exactly its members in its index', () => {
    const listed = [...index().matchAll(/from '\.\/([^']+)'/g)].map((match) => match[1] ?? '');
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
