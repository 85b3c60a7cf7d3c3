import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CDPSession, chromium } from '@playwright/test';
import { answers, startApp } from '@/lib/cli/app.mjs';
import { chromium as findChromium } from '@/lib/cli/chromium.mjs';
import { built as builtApp } from '@/lib/cli/ready.mjs';
import { freePort } from './free-port';
import { built, cpuSeconds, loadSentence, pidOf, residentMiB, said, seconds, start } from './process';
import type { FromStackServer } from './stack-server';
import { watchConfig } from './watch-config';

const SCENARIO = 'lib/bench/cost/twelve.yaml';
const HOST = '127.0.0.1';
const GOAL_KB = 300;
/** Scripts that are fetched this soon after the load event belong to the first load: the charts come then. */
const SETTLED_S = 8;

/** One request of the tab; bytes as they came over the wire, headers included. */
type Asked = { url: string; type: string; bytes: number };

/** What the overview loads in a real browser from the production build, and what it asks for afterwards while nobody touches it. */
export async function tellTab({ seconds: lasts, dir }: { seconds: number; dir: string }): Promise<void> {
  const found = await findChromium();
  if (found.path === undefined) return void console.log(`\nNo tab was opened: ${found.reason}`);
  await builtApp();
  const { url, app } = await startWatching(dir);
  const browser = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    const asked = await record(session);
    await page.goto(url, { waitUntil: 'load' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await seconds(SETTLED_S);
    tellScripts(asked.splice(0), (await page.getByRole('heading', { level: 1 }).textContent()) ?? '');
    const before = { cpu: cpuSeconds(pidOf(app)), at: performance.now() };
    await seconds(lasts);
    const over = (performance.now() - before.at) / 1000;
    tellIdle(asked, over);
    const share = (100 * (cpuSeconds(pidOf(app)) - before.cpu)) / over;
    console.log(
      `  the app meanwhile (12 targets, web server and this tab included): ${share.toFixed(1)} % of one core, RSS ${residentMiB(pidOf(app)).now.toFixed(0)} MiB (${loadSentence()})`,
    );
  } finally {
    await browser.close();
  }
}

async function startWatching(dir: string) {
  const from = await built('page', ['bench/cost/stack-server']);
  const { targets } = await said<FromStackServer>(start(join(from, 'bench/cost/stack-server.mjs'), { file: SCENARIO }));
  const port = await freePort();
  const found = join(dir, 'found.json');
  writeFileSync(found, JSON.stringify({ ...watchConfig(targets, join(dir, 'data')), listen: { host: HOST, port } }));
  const app = startApp({ host: HOST, port, env: { WEDGEWATCH_FOUND: found }, log: join(dir, 'app.log') });
  const url = `http://${HOST}:${port}`;
  if (!(await answers(`${url}/api/healthz`, app))) throw new Error(`the app did not answer at ${url} (exit code ${app.exitCode})`);
  await seconds(3);
  return { url, app };
}

/** Every request from now on; its bytes are filled in when it ends. */
async function record(session: CDPSession): Promise<Asked[]> {
  const asked: Asked[] = [];
  const open = new Map<string, Asked>();
  session.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    const one = { url: request.url, type: type ?? 'Other', bytes: 0 };
    open.set(requestId, one);
    asked.push(one);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = open.get(requestId);
    if (one) one.bytes = encodedDataLength;
  });
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  return asked;
}

function tellScripts(asked: readonly Asked[], heading: string): void {
  const scripts = asked.filter(({ type, url }) => type === 'Script' || new URL(url).pathname.endsWith('.js')).sort((a, b) => b.bytes - a.bytes);
  const kilobytes = scripts.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
  console.log(`\nFirst load of the overview ("${heading}"), nothing cached:`);
  console.log(
    `  ${kilobytes.toFixed(0)} kB of JavaScript over the wire in ${scripts.length} scripts; goal <= ${GOAL_KB} kB: ${kilobytes <= GOAL_KB ? 'met' : 'not met'}`,
  );
  for (const { url, bytes } of scripts) console.log(`  ${(bytes / 1000).toFixed(1).padStart(7)} kB  ${new URL(url).pathname}`);
  const others = asked.filter((one) => !scripts.includes(one));
  console.log(`  besides: ${others.map(({ url, type, bytes }) => `${new URL(url).pathname} (${type}, ${(bytes / 1000).toFixed(1)} kB)`).join(', ')}`);
}

function tellIdle(asked: readonly Asked[], over: number): void {
  const count = new Map<string, number>();
  for (const { url } of asked) count.set(new URL(url).pathname, (count.get(new URL(url).pathname) ?? 0) + 1);
  console.log(`\nAn idle tab: ${((asked.length * 60) / over).toFixed(1)} requests a minute over ${over.toFixed(0)} s, besides the one stream`);
  for (const [path, times] of count) console.log(`  ${String(times).padStart(5)}  ${path}`);
}
