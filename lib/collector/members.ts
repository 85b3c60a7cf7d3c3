import { isAllowed } from '@/lib/io/allow';
import type { TargetConfig } from '@/lib/model/config';
import type { TargetId } from '@/lib/model/target';
import type { ListedWorker } from '@/lib/model/topology';
import type { Context, Watched } from './context';

/** A front-end's list is foreign: no more found targets than this per stack. */
const MAX_FOUND = 64;
const FORGET_MS = 600_000;

/**
 * A front-end's list of workers, each joined to the target at that address. An unknown worker becomes a target that is only looked at,
 * provided that its host is one that the operator named or this machine: a list must not send us anywhere else.
 */
export function workersTold(context: Context, frontEnd: Watched, told: readonly ListedWorker[]): ListedWorker[] {
  const workers = told.slice(0, 1_000).map((worker) => {
    const url = asSeenFromHere(worker.url, frontEnd.target.url);
    if (find(context, frontEnd.stack, url) === undefined && mayAdopt(context, frontEnd.stack, url))
      context.adopt(frontEnd.stack, found(context, frontEnd.stack, worker, url));
    const target = find(context, frontEnd.stack, url)?.target.id;
    return { ...worker, ...(target === undefined ? {} : { target }) };
  });
  frontEnd.listed = workers;
  takeRoles(context, frontEnd);
  forgetUnlisted(context, frontEnd.stack);
  context.announce(frontEnd.stack);
  return workers;
}

function find(context: Context, stack: string, url: string): Watched | undefined {
  const key = addressOf(url);
  return [...context.watched.values()].find((watched) => watched.stack === stack && addressOf(watched.target.url) === key);
}

/** A listed engine is known by that list too, and has the role under which it is listed where it does not tell its own. */
function takeRoles(context: Context, frontEnd: Watched): void {
  for (const worker of frontEnd.listed ?? []) {
    const watched = worker.target === undefined ? undefined : context.watched.get(worker.target);
    if (watched === undefined) continue;
    const how = frontEnd.target.kind === 'mini-lb' ? 'server-info' : 'workers';
    // vLLM does not tell which half it is: it calls itself whole, and who sends it work knows better
    const isMute = watched.target.role === 'unknown' || (watched.target.kind === 'vllm' && watched.config.role === undefined && worker.role !== 'unknown');
    const role = isMute ? worker.role : watched.target.role;
    watched.target = { ...watched.target, role, known: [...new Set([...watched.target.known, how] as const)] };
  }
}

function forgetUnlisted(context: Context, stack: string): void {
  const members = [...context.watched.values()].filter((watched) => watched.stack === stack);
  const listed = new Set(members.flatMap((watched) => watched.listed ?? []).map((worker) => worker.target));
  const now = context.clock.monotonic();
  for (const watched of members) {
    if (watched.config.foundBy !== 'workers') continue;
    watched.unlistedSince = listed.has(watched.target.id) ? undefined : (watched.unlistedSince ?? now);
    if (watched.unlistedSince !== undefined && now - watched.unlistedSince > FORGET_MS) context.dismiss(watched.target.id);
  }
}

function mayAdopt(context: Context, stack: string, url: string): boolean {
  const members = [...context.watched.values()].filter((watched) => watched.stack === stack);
  if (members.filter((watched) => watched.config.foundBy === 'workers').length >= MAX_FOUND) return false;
  const host = hostOf(url);
  // a path under which nothing may be asked would only make loops that fail
  if (!URL.canParse(url) || !isAllowed('GET', `${new URL(url).pathname.replace(/\/+$/, '')}/health`)) return false;
  return members.some((watched) => watched.config.foundBy !== 'workers' && hostOf(watched.target.url) === host);
}

/** A front-end on another machine that says "127.0.0.1" means itself. */
function asSeenFromHere(url: string, frontEndUrl: string): string {
  const own = hostOf(frontEndUrl);
  if (hostOf(url) !== LOOPBACK || own === LOOPBACK) return url;
  const moved = new URL(url);
  moved.hostname = own;
  return moved.href.replace(/\/+$/, '');
}

function found(context: Context, stack: string, worker: ListedWorker, url: string): TargetConfig {
  const { port, protocol } = new URL(url);
  const place = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  const base = `${worker.role === 'unknown' ? 'engine' : worker.role}-${place}`;
  const isTaken = (id: TargetId) => context.watched.has(id);
  let name = base;
  for (let i = 2; isTaken(`${stack}.${name}`); i++) name = `${base}-${i}`;
  return {
    id: `${stack}.${name}`,
    name,
    url,
    ...(worker.role === 'unknown' ? {} : { role: worker.role }),
    headers: {},
    probe: false,
    foundBy: 'workers',
  };
}

const LOOPBACK = 'loopback';

function hostOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { hostname } = new URL(url);
  return /^(localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|\[::\])$/.test(hostname) ? LOOPBACK : hostname;
}

function addressOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { port, protocol, pathname } = new URL(url);
  return `${hostOf(url)}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}${pathname.replace(/\/+$/, '')}`;
}
