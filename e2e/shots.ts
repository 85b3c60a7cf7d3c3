import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium as launcher, type Page } from '@playwright/test';
import { children } from '../lib/cli/children.mjs';
import { chromium } from '../lib/cli/chromium.mjs';
import { built, ROOT } from '../lib/cli/ready.mjs';
import type { Snapshot } from '../lib/model/snapshot';
import { PLAYS, type State } from './plays';
import { until } from './processes';
import { type Stack, startStack } from './stack';

// Pictures of every page in every state, both themes and three sizes, of the production build watching the simulator: npm run shots [-- --state hanging].
const SIZES = [
  [1920, 1080],
  [1366, 768],
  [390, 844],
] as const;
const THEMES = ['dark', 'light'] as const;
const USUAL = { width: 1366, height: 768 };

const { values } = parseArgs({
  options: { state: { type: 'string', multiple: true }, page: { type: 'string', multiple: true }, readme: { type: 'boolean' } },
});
const isWanted = (list: string[] | undefined, name: string) => list === undefined || list.includes(name);

await built();
const found = await chromium();
if (!('path' in found)) throw new Error(found.reason);
const browser = await launcher.launch({ executablePath: found.path, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
try {
  for (const { state, ...options } of PLAYS) {
    if (values.readme ? state.name !== 'hanging' : !isWanted(values.state, state.name)) continue;
    const stack = await startStack(options);
    await shoot(stack, state, options.timeScale ?? 1);
    await stack.stop();
  }
} finally {
  await browser.close();
  await children.stopAll();
}

async function shoot(stack: Stack, state: State, timeScale: number): Promise<void> {
  const snapshot = await shows(stack, state);
  await pause(((state.thenS ?? 0) * 1000) / timeScale);
  const tabs = await openAll(browser, stack.url, snapshot);
  if (state.isStopped) {
    stack.signalApp('SIGSTOP');
    await pause(6000);
  }
  await (values.readme ? readme(tabs) : matrix(tabs, state.name));
  if (state.isStopped) stack.signalApp('SIGCONT');
  for (const { page } of tabs) await page.close();
}

type Tab = { name: string; page: Page };

/** Each page in a tab of its own: sizes and themes then change without another request. A context each, since a browser lets six streams at once to one host. */
async function openAll(of: Browser, url: string, snapshot: Snapshot): Promise<Tab[]> {
  const tabs: Tab[] = [];
  for (const [name, path] of await addresses(url, snapshot)) {
    if (!isWanted(values.page, name)) continue;
    const page = await of.newPage({ baseURL: url, viewport: USUAL });
    await page.goto(path);
    tabs.push({ name, page });
  }
  await pause(4000);
  return tabs;
}

async function addresses(url: string, { stacks }: Snapshot): Promise<[name: string, path: string][]> {
  const stack = stacks[0];
  const front = stack?.nodes.find((node) => node.strip.length > 0 && node.judgement.verdict !== 'ok') ?? stack?.nodes.find((node) => node.strip.length > 0);
  const engine = stack?.nodes.find((node) => node.role === 'decode');
  const probe = front?.strip.find((dot) => dot.outcome !== 'ok' && dot.outcome !== 'pending') ?? front?.strip[1];
  const incident = stack?.incident;
  const experiment =
    stack &&
    (await startExperiment(
      url,
      stack.id,
      stack.nodes.filter((node) => node.strip.length > 0).map((node) => node.id),
    ));
  return [
    ['overview', '/'],
    ...(stack ? [['stack', `/stacks/${stack.id}`] as [string, string]] : []),
    ...(front ? [['front-end', `/targets/${front.id}`] as [string, string]] : []),
    ...(engine ? [['engine', `/targets/${engine.id}`] as [string, string]] : []),
    ...(probe ? [['probe', `/probes/${probe.id}`] as [string, string]] : []),
    ...(experiment ? [['experiment', `/experiments/${experiment}`] as [string, string]] : []),
    ['incidents', '/incidents'],
    ...(incident ? [['incident', `/incidents/${incident.id}`] as [string, string]] : []),
    ['wall', '/wall'],
  ];
}

async function startExperiment(url: string, stack: string, targets: string[]): Promise<string | undefined> {
  const body = JSON.stringify({ stack, targets });
  const answer = await fetch(`${url}/api/experiments`, { method: 'POST', headers: { 'content-type': 'application/json', origin: url }, body });
  const told = (await answer.json().catch(() => undefined)) as { id?: string } | undefined;
  return told?.id;
}

async function matrix(tabs: Tab[], state: string): Promise<void> {
  const folder = join(ROOT, 'shots', state);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { name, page } of tabs) {
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await pause(250);
        await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: name !== 'wall' });
      }
    }
    await page.setViewportSize({ width: 320, height: 640 });
    await pause(150);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    console.log(`${state} ${name}${over > 0 ? `: ${over} px wider than a screen of 320` : ''}`);
  }
}

/** The pictures of README.md, of the demo's own story. */
async function readme(tabs: Tab[]): Promise<void> {
  const folder = join(ROOT, 'public', 'readme');
  mkdirSync(folder, { recursive: true });
  const take = async (name: string, colorScheme: 'dark' | 'light', file: string, size: { width: number; height: number }) => {
    const page = tabs.find((tab) => tab.name === name)?.page;
    if (!page) return;
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    await pause(1500);
    await page.screenshot({ path: join(folder, file) });
    console.log(`public/readme/${file}`);
  };
  await take('overview', 'dark', 'overview-hanging-dark.png', USUAL);
  await take('overview', 'light', 'overview-hanging-light.png', USUAL);
  await take('wall', 'dark', 'wall-hanging.png', { width: 1920, height: 1080 });
}

/** The first snapshot in which the worst stack has this verdict. */
async function shows(stack: Stack, { name, verdict }: State): Promise<Snapshot> {
  let last: Snapshot | undefined;
  const look = async () => {
    const answer = await fetch(`${stack.url}/api/snapshot`).catch(() => undefined);
    last = answer?.ok ? ((await answer.json()) as Snapshot) : last;
    return last?.stacks.some((one) => one.judgement.verdict === verdict && isWhole(one)) ?? false;
  };
  await until(look, 180_000, () => `${name} did not come: ${last?.stacks.map((one) => one.sentence).join(' | ')}`);
  return last as Snapshot;
}

/** A hang in which no front-end answers any more, and a quiet that has its proof. */
function isWhole({ judgement, frontEnds, lastGoodAt }: Snapshot['stacks'][number]): boolean {
  if (judgement.verdict === 'hanging') return frontEnds.answering === 0;
  return judgement.verdict !== 'ok' || lastGoodAt !== undefined;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
