import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { mayAbort, mayLeave } from '@/lib/collector/budget';
import { budgetAfter, type Earlier } from '@/lib/collector/earlier';
import type { ProbeResult } from '@/lib/model/probe';

/** What earlier runs of ours sent to an address: whoever runs the command twice is still one and the same to the front-end. */
export type Memory = {
  earlier(url: string): Earlier | undefined;
  note(url: string, result: ProbeResult): void;
  /** Wall-clock ms from which a chat may be sent there; undefined: now. */
  closedUntil(url: string, now: number): number | undefined;
  /** Why nothing is remembered beyond this run. */
  trouble(): string | undefined;
};

type Chat = Earlier['chats'][number] & { id: string };
type Kept = { chats: Record<string, Chat[]>; savedAt: number };

/** Budgets look back ten minutes. */
const KEEP_MS = 660_000;

export function memoryFile(env: Readonly<Record<string, string | undefined>>): string {
  return join(env.XDG_STATE_HOME ?? join(homedir(), '.local', 'state'), 'wedgewatch', 'diagnosed.json');
}

/** Kept in a file that only this user reads. `isIgnored`: earlier runs do not count, what is sent now does later. */
export function memoryIn(file: string, now: () => number, isIgnored = false): Memory {
  let trouble: string | undefined;
  const before = isIgnored ? EMPTY : read(file);
  const earlier = (url: string): Earlier | undefined => {
    const chats = before.chats[url];
    return chats === undefined || chats.length === 0 ? undefined : { chats, endedAt: before.savedAt };
  };
  return {
    earlier,
    note(url, { id, sentAt, exchange: { at, elapsedMs, ended, failure } }) {
      const kept = read(file);
      const chat: Chat = { id, sentAt, exchange: { at, elapsedMs, ended, ...(failure === undefined ? {} : { failure }) } };
      const chats = { ...kept.chats, [url]: [...(kept.chats[url] ?? []).filter((one) => one.id !== id), chat] };
      trouble = write(file, { chats: recent(chats, now()), savedAt: now() });
    },
    closedUntil(url, at) {
      const left = earlier(url);
      if (left === undefined) return undefined;
      const budget = budgetAfter(left, { wall: at, mono: 0 });
      const permit = mayAbort(budget, 0, 0);
      return mayLeave(budget, 0) || permit.ok ? undefined : at + permit.at;
    },
    trouble: () => trouble,
  };
}

const EMPTY: Kept = { chats: {}, savedAt: 0 };

function recent(chats: Kept['chats'], now: number): Kept['chats'] {
  const young = Object.entries(chats).map(([url, all]) => [url, all.filter((chat) => chat.sentAt > now - KEEP_MS)] as const);
  return Object.fromEntries(young.filter(([, all]) => all.length > 0));
}

/** A file that is missing or damaged remembers nothing. */
function read(file: string): Kept {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Partial<Kept>;
    return { chats: kept.chats ?? {}, savedAt: kept.savedAt ?? 0 };
  } catch {
    return EMPTY;
  }
}

/** Whole or not at all; answers why not. */
function write(file: string, kept: Kept): string | undefined {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(kept), { mode: 0o600 });
    renameSync(draft, file);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
