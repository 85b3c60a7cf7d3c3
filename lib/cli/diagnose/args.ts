import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { secretProblem } from '@/lib/config/secret';
import type { SecretRef } from '@/lib/model/config';

/** What a person asked for at the shell. */
export type Options = {
  urls: string[];
  engines: string[];
  model?: string;
  key?: SecretRef;
  headers: Record<string, string>;
  ca?: string;
  timeoutMs: number;
  tries: number;
  whole: boolean;
  long: boolean;
  /** Do not count what earlier runs sent. */
  again: boolean;
  form: 'text' | 'json' | 'markdown';
};

export type Read = { options: Options } | { help: true } | { wrong: string };

export const HELP = `npm run diagnose -- [options] URL [URL...]

Asks each front-end with its own model id, with the ids of the others and with a
nonsense one, streaming and whole, several times; reads the counters of the
engines behind them meanwhile; says who hangs, where requests stop, and how
sure that is. The dashboard need not run.

  URL              a front-end: http://10.0.0.7:30001, 10.0.0.7:30001 or :8000
  --engine URL     an engine whose counters may be read (repeatable); engines on
                   the front-ends' own hosts are found by their worker lists
  --model ID       ask every front-end with this id instead of its own first one
  --key-env NAME   the API key is in this environment variable
  --key-file FILE  the API key is in this file
  --header 'N: V'  a further request header (repeatable)
  --ca FILE        PEM file of a private certificate authority
  --timeout SEC    silence after which a chat counts as hanging (1 to 300): 10
  --tries N        chats for each question, 1 to 5: 2
  --no-whole       do not ask without streaming
  --long           ask with a long prompt too
  --again          send chats although earlier runs have broken off as many as
                   ten minutes allow
  --json           the result as JSON (with npm run -s, nothing else)
  --markdown       the result as Markdown with curl commands

Within the probe budget of the dashboard: one chat in 10 s for each front-end,
no more out than may be broken off when leaving, and earlier runs count. Ctrl-C
ends it with what is known by then. Exit code, the worst of all front-ends: 0
ok, 10 degraded, 20 hanging, 30 down, 40 misconfigured, 50 unknown, 64 wrong
usage, 1 a failure of our own.`;

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  engine: { type: 'string', multiple: true },
  model: { type: 'string' },
  'key-env': { type: 'string' },
  'key-file': { type: 'string' },
  header: { type: 'string', multiple: true },
  ca: { type: 'string' },
  timeout: { type: 'string' },
  tries: { type: 'string' },
  'no-whole': { type: 'boolean' },
  long: { type: 'boolean' },
  again: { type: 'boolean' },
  json: { type: 'boolean' },
  markdown: { type: 'boolean' },
} as const;

/** Reads the command line; `wrong` is for exit code 64. */
export function readArgs(argv: readonly string[], { env, cwd }: { env: Readonly<Record<string, string | undefined>>; cwd: string }): Read {
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
    if (values.help) return { help: true };
    if (positionals.length === 0) throw new Error('name at least one front-end, such as http://127.0.0.1:30001');
    if (positionals.length > 16) throw new Error('at most 16 front-ends at once');
    if (values.json && values.markdown) throw new Error('--json or --markdown, not both');
    const key = keyOf(values['key-env'], values['key-file'], env, cwd);
    return {
      options: {
        urls: [...new Set(positionals.map(addressOf))],
        engines: [...new Set((values.engine ?? []).map(addressOf))],
        ...(values.model === undefined ? {} : { model: values.model }),
        ...(key === undefined ? {} : { key }),
        headers: Object.fromEntries((values.header ?? []).map(headerOf)),
        ...(values.ca === undefined ? {} : { ca: fileOf('--ca', resolve(cwd, values.ca)) }),
        timeoutMs: numberOf('--timeout', values.timeout ?? '10', 1, 300) * 1_000,
        tries: Math.round(numberOf('--tries', values.tries ?? '2', 1, 5)),
        whole: values['no-whole'] !== true,
        long: values.long === true,
        again: values.again === true,
        form: values.json ? 'json' : values.markdown ? 'markdown' : 'text',
      },
    };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) };
  }
}

/** `:8000`, `host:8000` and `http://host:8000/v1` all mean a base address. */
function addressOf(text: string): string {
  const full = text.startsWith(':') ? `http://127.0.0.1${text}` : /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (url === undefined || url.hostname === '' || !/^https?:$/.test(url.protocol))
    throw new Error(`"${text}" is no http address; write http://127.0.0.1:30001`);
  if (url.username !== '' || url.password !== '') throw new Error('an address must hold no user or password; use --header or --key-env');
  if (url.search !== '' || url.hash !== '') throw new Error(`"${text}": an address must end before "?" and "#"`);
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1(\/chat\/completions|\/models)?$/, '');
  return url.origin + path;
}

function keyOf(name: string | undefined, file: string | undefined, env: Readonly<Record<string, string | undefined>>, cwd: string): SecretRef | undefined {
  if (name !== undefined && file !== undefined) throw new Error('--key-env or --key-file, not both');
  const ref = name !== undefined ? { env: name } : file !== undefined ? { file: resolve(cwd, file) } : undefined;
  const problem = ref === undefined ? undefined : secretProblem(ref, env);
  if (problem !== undefined) throw new Error(`the key: ${problem}`);
  return ref;
}

function headerOf(text: string): [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*([\x20-\x7e]*)$/.exec(text) ?? [];
  // the value may be secret, so it is not quoted
  if (name === undefined || value === undefined) throw new Error("--header: write it as 'Name: value', visible characters only");
  return [name.toLowerCase(), value];
}

function fileOf(option: string, path: string): string {
  if (!existsSync(path)) throw new Error(`${option}: ${path} does not exist`);
  return path;
}

function numberOf(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!(value >= least && value <= most)) throw new Error(`${option} ${text}: a number from ${least} to ${most} is wanted`);
  return value;
}
