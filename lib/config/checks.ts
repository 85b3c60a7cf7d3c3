import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { DEFAULTS, type SecretRef } from '@/lib/model/config';
import { why } from './file';
import { at, type Mistake } from './mistakes';
import { durationMs } from './quantities';
import { secretProblem } from './secret';

/** Slug of a name as it stands in ids and URLs. */
export function slug(name: string): string {
  return (
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60) || 'x'
  );
}

/** What a schema cannot see: names said twice, secrets and files that are not there. Reads the raw file so that all mistakes are told together. */
export function checks(raw: unknown, env: Readonly<Record<string, string | undefined>>, folder: string): Mistake[] {
  const stacks = list(at(raw, ['stacks']));
  return [
    ...twice(stacks, ['stacks'], 'stack'),
    ...stacks.flatMap((stack, index) => {
      const targets = list(at(stack, ['targets']));
      const path = ['stacks', index, 'targets'];
      return [...twice(targets, path, 'target'), ...targets.flatMap((target, number) => targetChecks(target, [...path, number], env, folder))];
    }),
    ...twiceWatched(stacks),
    ...capCheck(raw),
  ];
}

function twice(entries: readonly unknown[], path: readonly PropertyKey[], what: string): Mistake[] {
  const seen = new Map<string, number>();
  return entries.flatMap((entry, index): Mistake[] => {
    const name = at(entry, ['name']);
    if (typeof name !== 'string' || name === '') return [];
    const first = seen.get(slug(name));
    if (first === undefined) seen.set(slug(name), index);
    return first === undefined
      ? []
      : [
          {
            path: [...path, index, 'name'],
            value: name,
            says: `is the name of ${what} ${first + 1} of this list already, or reads the same in a URL; give each ${what} its own`,
          },
        ];
  });
}

/** What we may send is counted per target: under two names one front-end would get twice of it. */
function twiceWatched(stacks: readonly unknown[]): Mistake[] {
  const seen = new Map<string, string>();
  return stacks.flatMap((stack, index) =>
    list(at(stack, ['targets'])).flatMap((target, number): Mistake[] => {
      const [url, name] = [at(target, ['url']), at(target, ['name'])];
      const address = typeof url === 'string' ? addressOf(url) : undefined;
      if (address === undefined) return [];
      const first = seen.get(address);
      if (first === undefined) seen.set(address, typeof name === 'string' ? name : `${number + 1}`);
      return first === undefined
        ? []
        : [{ path: ['stacks', index, 'targets', number, 'url'], value: url, says: `is the address of target ${first} already; watch each address once` }];
    }),
  );
}

/** One spelling for each address; undefined where the URL is wrong, which the schema tells. */
function addressOf(url: string): string | undefined {
  if (!URL.canParse(url.trim())) return undefined;
  const { protocol, hostname, port, pathname } = new URL(url.trim());
  const host = /^(localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|\[::\])$/.test(hostname) ? 'loopback' : hostname;
  return `${host}:${port || (protocol === 'https:' ? '443' : '80')}${pathname.replace(/\/+$/, '')}`;
}

function targetChecks(target: unknown, path: readonly PropertyKey[], env: Readonly<Record<string, string | undefined>>, folder: string): Mistake[] {
  const found: Mistake[] = [];
  const name = at(target, ['apiKey', 'env']);
  const file = at(target, ['apiKey', 'file']);
  const ref: SecretRef | undefined =
    typeof name === 'string' && /^[A-Za-z_]\w*$/.test(name) ? { env: name } : typeof file === 'string' ? { file: under(folder, file) } : undefined;
  const problem = ref === undefined ? undefined : secretProblem(ref, env);
  if (problem !== undefined) found.push({ path: [...path, 'apiKey'], says: problem });
  const ca = at(target, ['ca']);
  const caProblem = typeof ca === 'string' && ca !== '' ? fileProblem(under(folder, ca)) : undefined;
  if (caProblem !== undefined) found.push({ path: [...path, 'ca'], value: ca, says: caProblem });
  return found;
}

function fileProblem(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? undefined : 'is no regular file; name a PEM file';
  } catch (error) {
    return why(error);
  }
}

function capCheck(raw: unknown): Mistake[] {
  const ms = (key: string) => {
    const value = at(raw, ['probe', key]);
    return typeof value === 'string' ? durationMs(value) : undefined;
  };
  const cap = ms('cap');
  const isGiven = at(raw, ['probe', 'firstToken']) !== undefined;
  const first = isGiven ? ms('firstToken') : DEFAULTS.probe.firstTokenMs;
  return cap !== undefined && first !== undefined && cap <= first
    ? [
        {
          path: ['probe', 'cap'],
          value: at(raw, ['probe', 'cap']),
          says: `is not longer than firstToken${isGiven ? '' : ' (8s when not written)'}; a late answer needs time after its deadline, write 600s`,
        },
      ]
    : [];
}

/** Paths in a file are meant from the file's own folder. */
export function under(folder: string, path: string): string {
  return isAbsolute(path) ? path : resolve(folder, path);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
