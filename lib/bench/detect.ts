import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { children } from '@/lib/cli/children.mjs';
import { USAGE, type Wanted, wantedFrom } from './args';
import { changes } from './changes';
import { built } from './cost/process';
import { refusal } from './exec';
import { type Job, jobsFor, soundRun, soundStandingRun, virtualRun } from './jobs';
import type { Run } from './outcome';
import { type Chosen, chosenFrom } from './plan';
import { isRight, score } from './score/score';
import { ENTRIES, openSlot, type Slot } from './slot';
import { runStanding } from './standing';
import { baselineNotes, comparisonTable } from './table/comparison';
import { goalLines, goalsOf } from './table/goals';
import { judgementTable, type Scored } from './table/judgement';
import { listed } from './table/listed';

/** `npm run bench:detect`; `--help` tells the options. */
const BAD_USAGE = 2;
const A_LONG_DAY_S = 36_000;

const read = wantedFrom(process.argv.slice(2));
if ('errors' in read) fail(read.errors);
else if (read.wanted.help) process.stdout.write(USAGE);
else {
  const given = chosenFrom(read.wanted.folder, read.wanted.only);
  if ('errors' in given) fail(given.errors);
  else if (read.wanted.list) process.stdout.write(listed(given.chosen));
  else {
    const refusals = read.wanted.allowExec ? [] : given.chosen.flatMap(({ file, scenario }) => refusal(scenario, file) ?? []);
    if (refusals.length > 0) fail(refusals);
    else await bench(read.wanted, given.chosen);
  }
}

function fail(errors: readonly string[]): void {
  process.stderr.write(`${errors.map((error) => `bench:detect: ${error}`).join('\n')}\n`);
  process.exitCode = BAD_USAGE;
}

async function bench(wanted: Wanted, chosen: readonly Chosen[]): Promise<void> {
  const began = performance.now();
  const name = `detect-${process.pid}`;
  const folder = await built(name, [...ENTRIES, 'bench/virtual/child']);
  const jobs = jobsFor(chosen, wanted);
  const all: (Scored & { job: Job })[] = [];
  const voids: string[] = [];
  // What acts on one stack that exists takes turns.
  const atOnce = jobs.some(({ kind }) => kind === 'standing') ? 1 : wanted.jobs;
  await Promise.all(Array.from({ length: atOnce }, work));
  await children.stopAll();
  rmSync(folder, { recursive: true, force: true });
  all.sort((a, b) => a.score.id.localeCompare(b.score.id) || a.score.seed - b.score.seed);
  const counted = all.filter(({ job }) => job.untilS === undefined);
  const beside = all.filter(({ job }) => job.untilS !== undefined);
  const goals = goalsOf(counted);
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(judgementTable(counted));
  if (counted.some(({ job }) => job.baselines)) console.log(`\n${comparisonTable(counted)}\n\n${baselineNotes()}`);
  for (const { run, score: s, job } of beside)
    console.log(
      `\n${s.id} is told in virtual time; its first ${job.untilS} s over sockets in scaled time, seed 0: ${isRight(s) ? 'right' : 'WRONG'} (${run.lines.length} looks)`,
    );
  console.log(`\n${goalLines(goals)}`);
  console.log(`\n${paceSentence(all, atOnce, seconds, voids)}`);
  mkdirSync(wanted.out, { recursive: true });
  const file = join(wanted.out, 'detect.json');
  const runs = all.map(({ run, score: s }) => ({ ...run, score: s, scenario: run.scenario.id, lines: wanted.verbose ? run.lines : changes(run) }));
  writeFileSync(file, JSON.stringify({ at: new Date().toISOString(), command: process.argv.slice(2), seconds, goals, voids, runs }, null, 1));
  console.log(`Every run is in ${file}.`);
  process.exitCode = all.every(({ score: s }) => isRight(s)) ? 0 : 1;

  async function work() {
    let slot: Slot | undefined;
    const open = async () => {
      if (slot === undefined || slot.isBroken()) slot = await openSlot(folder);
      return slot;
    };
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      const run = await make(job, open);
      const s = score(run);
      all.push({ run, score: s, job });
      console.error(lineOf(job, { run, score: s }));
      if (wanted.verbose) for (const change of changes(run)) console.error(`   ${change}`);
    }
    slot?.kill();
  }

  function make(job: Job, open: () => Promise<Slot>): Promise<Run> {
    if (job.kind === 'virtual') return virtualRun(job, folder, hours(job));
    return job.kind === 'standing' ? soundStandingRun(job, () => runStanding(job, folder, wanted.out), noteVoid) : soundRun(job, open, noteVoid);
  }

  function noteVoid(text: string) {
    voids.push(text);
    console.error(text);
  }
}

/** Tells each hour of a long one. */
function hours({ scenario }: Job): (seconds: number) => void {
  let told = 0;
  return (seconds) => {
    const hour = Math.floor(seconds / 3_600);
    if (hour <= told || scenario.lasts < A_LONG_DAY_S) return;
    told = hour;
    console.error(`${scenario.id}: ${hour} of ${Math.round(scenario.lasts / 3_600)} told hours`);
  };
}

function lineOf({ untilS }: Job, { run, score: s }: Scored): string {
  const pace = run.pace.kind === 'virtual' ? 'virtual time' : `x${run.pace.scale} time`;
  const how = `x${run.speed} speed, ${pace}${untilS === undefined ? '' : `, first ${untilS} s`}, ${run.realSeconds.toFixed(0)} s`;
  return `${s.id} seed ${s.seed} (${how}) ${isRight(s) ? 'right' : `WRONG: ${s.wrong.slice(0, 3).join('; ')}`}`;
}

function paceSentence(all: readonly Scored[], jobs: number, seconds: number, voids: readonly string[]): string {
  const scales = [...new Set(all.map(({ run }) => (run.pace.kind === 'virtual' ? 'virtual' : `x${run.pace.scale}`)))];
  const again = voids.length === 0 ? '' : ` Void by our own lag and repeated slower: ${voids.length} (${voids.join('; ')}).`;
  return `${all.length} runs in ${seconds} s, ${jobs} side by side; told time ${scales.join(', ')}.${again}`;
}
