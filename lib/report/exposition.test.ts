import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Snapshot } from '@/lib/model/snapshot';
import { aProbe, aSnapshot } from '@/lib/stores/examples';
import { type Exposed, exposition } from './exposition';

const AT = Date.UTC(2026, 10, 5, 14, 1);
const RULES = fileURLToPath(new URL('../../public/wedgewatch.rules.yml', import.meta.url));
/** Undefined where Prometheus's own tool is not installed (Debian: package prometheus). */
const promtool = spawnSync('promtool', ['--version']).status === 0 ? 'promtool' : undefined;
const whenInstalled = test.skipIf(promtool === undefined);
const reason = promtool === undefined ? ' (skipped: promtool is not installed)' : '';

const hanging: Snapshot = (() => {
  const snapshot = aSnapshot({ at: AT, tick: 60 });
  for (const stack of snapshot.stacks) {
    stack.judgement.place = { kind: 'decode', target: 'lab.decode', inferred: false };
    stack.incident = { id: 'i', stack: 'lab', openedAt: AT, verdict: 'hanging', targets: [], sentence: '' };
    stack.oldestWaitMs = 9_500;
    stack.lastGoodAt = AT - 60_000;
    stack.hypotheses = [{ id: 'decode-stuck', claim: '', prior: 0, logOdds: 2, probability: 0.88, evidence: [], next: '', implies: { verdict: 'hanging' } }];
    for (const node of stack.nodes) Object.assign(node, { schedulerAgeS: 12 });
    for (const dot of stack.nodes[0]?.strip ?? []) dot.ttftMs = 80;
  }
  return snapshot;
})();

const all: Exposed = {
  at: AT + 500,
  build: '1.2.3',
  snapshot: hanging,
  chats: [aProbe({ sentAt: AT - 10_000 }), aProbe({ id: 'p2', sentAt: AT - 20_000, outcome: 'reset' })],
  pulse: { state: 'running', silentMs: 500, restarts: 2 },
};

test('a front-end that hangs while its health says up is told as just that', () => {
  const text = exposition(all);
  expect(text).toContain('wedgewatch_verdict{stack="lab",target="lab.router",role="router",verdict="hanging"} 1\n');
  expect(text).toContain('wedgewatch_verdict{stack="lab",target="lab.router",role="router",verdict="ok"} 0\n');
  expect(text).toContain('wedgewatch_health_up{stack="lab",target="lab.router",role="router"} 1\n');
  expect(text).toContain('wedgewatch_stack_place_info{stack="lab",place="decode",target="lab.decode",inferred="false"} 1\n');
  expect(text).toContain('wedgewatch_hang_ratio{stack="lab",target="lab.router",role="router"} 1\n');
});

test('the phases are those of the latest ended chat, in seconds', () => {
  const text = exposition(all);
  expect(text).toContain('wedgewatch_probe_phase_seconds{stack="lab",target="lab.router",phase="firstToken"} 0.067\n');
  expect(text).toContain('wedgewatch_probe_outcome_info{stack="lab",target="lab.router",outcome="ok"} 1\n');
  expect(text).not.toContain('outcome="reset"');
});

test('an open incident is told with whether somebody has seen it and whether it is shelved now', () => {
  const snapshot = structuredClone(hanging);
  const told = () => exposition({ ...all, snapshot });
  expect(told()).toContain('wedgewatch_incident_acknowledged{stack="lab"} 0\n');
  expect(told()).toContain('wedgewatch_incident_shelved{stack="lab"} 0\n');
  for (const { incident } of snapshot.stacks)
    Object.assign(incident ?? {}, { ack: { by: 'Ada', at: AT }, shelf: { by: 'Ben', at: AT, until: AT + 60_000, reason: '' } });
  expect(told()).toContain('wedgewatch_incident_acknowledged{stack="lab"} 1\n');
  expect(told()).toContain('wedgewatch_incident_shelved{stack="lab"} 1\n');
  expect(exposition({ ...all, at: AT + 60_000, snapshot })).toContain('wedgewatch_incident_shelved{stack="lab"} 0\n');
  for (const stack of snapshot.stacks) delete stack.incident;
  expect(told()).not.toMatch(/incident_(acknowledged|shelved)/);
});

test('before the first frame only we ourselves are told, and as blind', () => {
  const text = exposition({ at: AT, build: 'x', chats: [], pulse: { state: 'starting', silentMs: 3000, restarts: 0 } });
  expect(text).toContain('wedgewatch_blind 1\n');
  expect(text).toContain('wedgewatch_collector_heartbeat_age_seconds 3\n');
  expect(text).not.toContain('verdict');
});

test('what is not known is absent, not zero', () => {
  const quiet = aSnapshot({ at: AT, tick: 1 });
  expect(exposition({ ...all, snapshot: quiet, chats: [] })).not.toMatch(/oldest_wait|last_good_answer|scheduler_age|probe_phase/);
});

test('hostile names stay inside their quotes', () => {
  const snapshot = structuredClone(hanging);
  for (const stack of snapshot.stacks)
    stack.nodes[0] = Object.assign(stack.nodes[0] ?? {}, { id: `x"} 1\nwedgewatch_blind 0 # \\${'y'.repeat(500)}\ud800` }) as (typeof stack.nodes)[number];
  const text = exposition({ ...all, snapshot });
  expect(text).toContain('target="x\\"} 1\\nwedgewatch_blind 0 # \\\\yyy');
  expect(text.split('\n').filter((line) => line.startsWith('wedgewatch_blind'))).toEqual(['wedgewatch_blind 0']);
  for (const line of text.split('\n')) expect(line.length).toBeLessThan(500);
  if (promtool !== undefined) execFileSync(promtool, ['check', 'metrics'], { input: text });
});

whenInstalled(`promtool reads the exposition and finds nothing to complain about${reason}`, () => {
  const checked = spawnSync('promtool', ['check', 'metrics'], { input: exposition(all), encoding: 'utf8' });
  expect(`${checked.stdout}${checked.stderr}`).toBe('');
  expect(checked.status).toBe(0);
});

whenInstalled(`promtool accepts the alert rules${reason}`, () => {
  expect(execFileSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' })).toContain('SUCCESS: 4 rules found');
});

test('every metric that the alert rules name is one that we expose', () => {
  const rules = readFileSync(RULES, 'utf8');
  const exposed = exposition(all);
  const named = [...rules.matchAll(/^ +expr: (.*)$/gm)].flatMap((match) => [...(match[1] ?? '').matchAll(/wedgewatch_\w+/g)].map((name) => name[0]));
  expect(named.length).toBeGreaterThanOrEqual(4);
  for (const name of named) expect(exposed).toContain(`\n# TYPE ${name} `);
  for (const [, label = '', value = ''] of rules.matchAll(/(verdict)="(\w+)"/g)) expect(exposed).toContain(`${label}="${value}"`);
});
