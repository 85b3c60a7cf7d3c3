import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '@/lib/stats';
import type { FromPageServer } from './page-server';
import { ask, built, cpuSeconds, loadSentence, pidOf, residentMiB, said, seconds, start } from './process';
import { asked, type Prometheus, prometheusPath, startPrometheus } from './prometheus';
import type { FromScraper } from './scraper';

/** A watcher runs for days: what is compiled and learnt at the start is not counted, on either side. */
const WARM_UP_S = 20;
const GOAL = 0.8;

/** How many targets are read how often, and for how long. */
export type CompareOptions = { count: number; everyMs: number; rounds: number; roundSeconds: number; dir: string; profile?: string };

type Served = Extract<FromPageServer, { ports: number[] }>;
type Round = { ours: number; theirs?: number; load: string };

/** Our scrape path and a real Prometheus read the same pages from the same server in the same run, once as each likes it and once without gzip. */
export async function compare(options: CompareOptions): Promise<void> {
  const path = prometheusPath();
  if (path === undefined) console.log('prometheus is not in PATH (Debian: apt-get install prometheus): our side alone is measured.');
  const from = await built('collect', ['bench/cost/page-server', 'bench/cost/scraper']);
  for (const gzip of [true, false]) await side({ ...options, from, dir: join(options.dir, gzip ? 'gzip' : 'identity') }, gzip, path);
}

async function side(options: CompareOptions & { from: string }, gzip: boolean, path: string | undefined): Promise<void> {
  const { count, everyMs, dir, rounds, roundSeconds } = options;
  for (const name of ['ours', 'theirs']) mkdirSync(join(dir, name), { recursive: true });
  const server = start(join(options.from, 'bench/cost/page-server.mjs'), { count, everyMs, gzip });
  const served = await said<Served>(server);
  const flags = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`];
  const ours = start(join(options.from, 'bench/cost/scraper.mjs'), { ports: served.ports, everyMs, dir: join(dir, 'ours') }, flags);
  await said<FromScraper>(ours);
  const theirs = path === undefined ? undefined : await startPrometheus(path, { ports: served.ports, everyMs, dir: join(dir, 'theirs') });
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`;
  console.log(
    `\n${count} targets each ${everyMs} ms, pages of ${kilobytes(served.bytes)} (${served.families} families, ${served.samples} samples), ` +
      (gzip ? `gzip for who asks (${kilobytes(served.packedBytes)}; Prometheus does, we do not)` : 'never packed'),
  );
  await seconds(WARM_UP_S);
  const done: Round[] = [];
  for (let round = 0; round < rounds; round++) done.push(await measured(server, ours, theirs, roundSeconds));
  for (const round of done) console.log(`  ${line(round)}`);
  const own = await ask<FromScraper>(ours);
  console.log(`  median: ${line({ ours: middle(done.map((r) => r.ours)), ...theirsOf(done), load: loadSentence() })}`);
  console.log(`  ours: ${own.scrapes} scrapes, ${own.failed} failed, ${perScrape(own.samples, own.scrapes)} samples kept of each; RSS ${memory(ours)}`);
  if (theirs !== undefined) {
    const [up, kept] = [await asked(theirs, 'sum(up)'), await asked(theirs, 'avg(scrape_samples_scraped)')];
    console.log(`  Prometheus: ${up} of ${count} targets up, ${kept?.toFixed(0)} samples kept of each; RSS ${memory(theirs.child)}`);
    console.log(`  ratio ours / Prometheus: ${verdictOf(done)}`);
  }
  for (const child of [ours, theirs?.child, server]) await end(child);
}

/** CPU seconds of each side per 1,000 scrapes over one round. */
async function measured(server: ChildProcess, ours: ChildProcess, theirs: Prometheus | undefined, roundSeconds: number): Promise<Round> {
  const look = async () => {
    const { reads } = await ask<Extract<FromPageServer, { reads: unknown }>>(server);
    return {
      ours: { cpu: cpuSeconds(pidOf(ours)), reads: reads.wedgewatch ?? 0 },
      theirs: theirs === undefined ? undefined : { cpu: cpuSeconds(pidOf(theirs.child)), reads: reads.Prometheus ?? 0 },
    };
  };
  const before = await look();
  await seconds(roundSeconds);
  const after = await look();
  const perThousand = (from: { cpu: number; reads: number }, to: { cpu: number; reads: number }) => ((to.cpu - from.cpu) * 1000) / (to.reads - from.reads);
  return {
    ours: perThousand(before.ours, after.ours),
    ...(before.theirs === undefined || after.theirs === undefined ? {} : { theirs: perThousand(before.theirs, after.theirs) }),
    load: loadSentence(),
  };
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

function line({ ours, theirs, load }: Round): string {
  const told = (value: number) => value.toFixed(2);
  const both = theirs === undefined ? '' : `, Prometheus ${told(theirs)}, ratio ${told(ours / theirs)}`;
  return `CPU s per 1,000 scrapes: ours ${told(ours)}${both}   (${load})`;
}

function theirsOf(rounds: readonly Round[]): { theirs?: number } {
  const all = rounds.flatMap((round) => round.theirs ?? []);
  return all.length === 0 ? {} : { theirs: middle(all) };
}

function verdictOf(rounds: readonly Round[]): string {
  const ratio = middle(rounds.flatMap((round) => (round.theirs === undefined ? [] : [round.ours / round.theirs])));
  return `${ratio.toFixed(2)} at the median; goal <= ${GOAL}: ${ratio <= GOAL ? 'met' : 'not met'}`;
}

function middle(values: readonly number[]): number {
  return median(values) ?? Number.NaN;
}

function perScrape(total: number, scrapes: number): string {
  return scrapes === 0 ? 'no' : (total / scrapes).toFixed(0);
}

function memory(child: ChildProcess): string {
  const { now, peak } = residentMiB(pidOf(child));
  return `${now.toFixed(0)} MiB (peak ${peak.toFixed(0)})`;
}
