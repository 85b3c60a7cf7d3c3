import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Scenario } from '@/lib/scenarios/scenario';
import { readScenario } from '@/lib/simulator/read';
import { refusal } from './exec';
import { type Run, type RunOptions, run } from './run';
import { type Score, score } from './score';
import { runStanding } from './standing';
import { table } from './table';

/** `npm run bench:detect [-- --scenarios DIR --seeds N --only ID,ID --jobs N --scale S --allow-exec]` */
const { values } = parseArgs({
  options: {
    scenarios: { type: 'string', default: 'lib/scenarios' },
    seeds: { type: 'string', default: '3' },
    only: { type: 'string' },
    jobs: { type: 'string', default: '3' },
    scale: { type: 'string' },
    out: { type: 'string', default: '.wedgewatch/bench' },
    'allow-exec': { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
});

/** Long quiet scenarios run faster: nothing happens in them within a deadline. */
const LONG_S = 1_500;
const SCALE = { short: 5, long: 12 };

const only = values.only?.toUpperCase().split(',');
const chosen = readdirSync(values.scenarios)
  .filter((f) => /\.ya?ml$/.test(f))
  .map((f) => join(values.scenarios, f))
  .map((file) => ({ file, scenario: scenarioOf(file) }))
  .filter(({ scenario }) => (only ? only.includes(scenario.id.toUpperCase()) : scenario.id !== 'incident'));
const refusals = values['allow-exec'] ? [] : chosen.flatMap(({ file, scenario }) => refusal(scenario, file) ?? []);
if (refusals.length > 0) {
  console.error(refusals.join('\n'));
  process.exit(2);
}
const isStanding = chosen.some(({ scenario }) => scenario.standing !== undefined);
const jobs = chosen.flatMap(({ file, scenario }) =>
  Array.from({ length: Number(values.seeds) }, (_, seed) => ({
    file,
    scenario,
    seed,
    scale: scenario.standing ? 1 : Number(values.scale ?? (scenario.lasts > LONG_S ? SCALE.long : SCALE.short)),
  })),
);
if (!isStanding) jobs.sort((a, b) => b.scenario.lasts / b.scale - a.scenario.lasts / a.scale);

const scales = [...new Set(jobs.map((j) => j.scale))];
const started = Date.now();
const runs: Run[] = [];
const scores: Score[] = [];
const voids: string[] = [];
// What acts on one stack that exists takes turns.
const atOnce = isStanding ? 1 : Number(values.jobs);
await Promise.all(Array.from({ length: atOnce }, work));
scores.sort((a, b) => a.id.localeCompare(b.id) || a.seed - b.seed);
console.log(table(scores, runs));
console.log(
  `\n${runs.length} runs in ${Math.round((Date.now() - started) / 1000)} s, ${atOnce} side by side; told time x${scales.join(' and x')}.${voids.length > 0 ? ` Void by our own lag and repeated slower: ${voids.join(', ')}.` : ''}`,
);
mkdirSync(values.out, { recursive: true });
writeFileSync(
  join(values.out, 'detect.json'),
  JSON.stringify(
    { at: new Date().toISOString(), scores, runs: runs.map((r) => ({ ...r, scenario: r.scenario.id, lines: values.verbose ? r.lines : changes(r) })) },
    null,
    1,
  ),
);
process.exit(scores.every((s) => s.verdict && s.place && s.noWrongAlarm && s.cleared !== false && s.harmless) ? 0 : 1);

async function work() {
  for (let job = jobs.shift(); job; job = jobs.shift()) {
    const r = await soundRun(job);
    const s = score(r);
    runs.push(r);
    scores.push(s);
    if (!s.harmless) s.wrong.push(`own harm: ${JSON.stringify(r.harm)}`);
    const bad = s.wrong.length > 0 ? `: ${s.wrong.slice(0, 3).join('; ')}` : '';
    console.error(
      `${s.id} seed ${s.seed} (x${r.speed} speed, x${r.scale} time) ${s.verdict && s.place && s.noWrongAlarm && s.harmless && s.cleared !== false ? 'right' : 'WRONG'}${bad}`,
    );
    if (values.verbose) for (const c of changes(r)) console.error(`   ${c}`);
  }
}

/** A run in which we ourselves were blind by the machine's doing proves nothing: it is void, and repeated at half the speed. */
async function soundRun(job: RunOptions): Promise<Run> {
  for (let scale = job.scale; ; scale /= 2) {
    const r = await (job.scenario.standing ? runStanding({ ...job, out: values.out }) : run({ ...job, scale }));
    if (r.failed || scale < 2 || !isVoid(r)) return r;
    voids.push(`${r.scenario.id} seed ${r.seed} at x${scale}`);
    console.error(`${r.scenario.id} seed ${r.seed}: void at x${scale} (own lag ${Math.round(r.worstLagMs / scale)} ms), again at x${scale / 2}`);
  }
}

/** Our own pauses are part of a scenario that asks for them, and of no other. */
function isVoid(r: Run): boolean {
  const asked = r.scenario.timeline.some((step) => step.action.startsWith('dash.'));
  return !asked && r.lines.some((l) => l.fronts.some((f) => f.detail === 'blind'));
}

/** The run as the moments at which something shown changed. */
function changes(r: Run): string[] {
  const out: string[] = [];
  let before = '';
  for (const l of r.lines) {
    const word = l.fronts.map((f) => `${f.name}=${f.verdict}${f.detail ? `(${f.detail})` : ''}@${f.place}`).join(' ');
    if (word !== before) out.push(`${l.s.toFixed(1)} ${word} [${l.top ?? ''}]`);
    before = word;
  }
  return out;
}

function scenarioOf(file: string): Scenario {
  const read = readScenario(file);
  if ('errors' in read) {
    console.error(read.errors.join('\n'));
    process.exit(2);
  }
  return read.scenario;
}
