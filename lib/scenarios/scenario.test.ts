import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forSeed, parseScenario, type Scenario } from './scenario';
import { ACTIONS } from './vocabulary';

const files = readdirSync(__dirname).filter((name) => name.endsWith('.yaml'));

function read(name: string): Scenario {
  const parsed = parseScenario(readFileSync(join(__dirname, name), 'utf8'), name);
  if ('errors' in parsed) throw new Error(parsed.errors.join('\n'));
  return parsed.scenario;
}

function wrong(text: string): string[] {
  const parsed = parseScenario(`id: X\ntitle: x\nlasts: 100\n${text}`, 'x.yaml');
  return 'errors' in parsed ? parsed.errors : [];
}

function steps(lines: string) {
  const parsed = parseScenario(`id: X\ntitle: x\nlasts: 100\ntimeline:\n${lines}`, 'x.yaml');
  if ('errors' in parsed) throw new Error(parsed.errors.join('\n'));
  return parsed.scenario.timeline;
}

describe('the scenario files', () => {
  it('are the twenty-six and the incident', () => {
    const ids = files.map((name) => read(name).id).sort();
    expect(ids).toEqual([...Array.from({ length: 26 }, (_, i) => `SC-${String(i + 1).padStart(2, '0')}`), 'incident']);
  });

  it.each(files)('%s says what must be said of every front-end, and when', (name) => {
    const { truth, stack, timeline, lasts, near_miss } = read(name);
    expect(truth.length).toBeGreaterThan(0);
    const spoken = stack.frontEnds.filter((fe) => truth.some((one) => one.target === undefined || one.target === 'stack' || one.target === fe.name));
    expect(spoken).toEqual(stack.frontEnds);
    expect(timeline.every((step) => (step.upTo ?? step.at) <= lasts)).toBe(true);
    expect(near_miss && truth.some((one) => one.verdict === 'hanging')).toBe(false);
  });

  it('have a verdict and a place only where one goes with the other', () => {
    const all = files.flatMap((name) => read(name).truth);
    expect(all.filter((one) => one.verdict === 'ok' && one.place !== 'none')).toEqual([]);
    expect(all.filter((one) => one.verdict !== 'ok' && one.place === 'none')).toEqual([]);
  });

  it('play their variants by turns of the seed', () => {
    const scenario = read('sc-12-error-dressed-as-200.yaml');
    expect(forSeed(scenario, 0).timeline).toHaveLength(1);
    expect(forSeed(scenario, 1).timeline).toHaveLength(2);
    expect(forSeed(scenario, 1).stack.loads).toBe('ask');
  });
});

describe('a step', () => {
  it('may be written by name, by position or as a call', () => {
    const [byName, byPosition, byCall, byList] = steps(
      ' - [1, fe.shed, { fe: router, status: 503, share: 0.3 }]\n - [1, fe.shed, router, 503, 0.3]\n - [1, "fe.shed(router, 503, 0.3)"]\n - [1, fe.shed, [router, 503, 0.3]]',
    );
    expect(byPosition).toEqual(byName);
    expect(byCall).toEqual(byName);
    expect(byList).toEqual(byName);
  });

  it('takes defaults for what is left out, and the words of the reference', () => {
    expect(steps(' - [1, fe.ghost, router]')[0]?.args).toEqual({ fe: 'router', k: 1, n: 3, connect_wait: 130 });
    expect(steps(' - [1, sched.freeze, decode, all ranks]')[0]?.args).toEqual({ role: 'decode' });
    expect(steps(' - [1, sched.no_admit, decode-0, rank 2]')[0]?.args).toEqual({ role: 'decode-0', rank: 2 });
    expect(steps(' - [1, user_mix, { long: 1, tokens: 200k }]')[0]?.args).toMatchObject({ tokens: 200_000 });
  });

  it('may fall at a moment that the seed chooses', () => {
    expect(steps(' - ["10..20", conn.reset_once, router]')[0]).toMatchObject({ at: 10, upTo: 20 });
  });

  it('may be switched off or last for some seconds, whatever the action', () => {
    expect(steps(' - [1, fe.hang, { fe: router, for: 5 }]\n - [2, fe.hang, { off: true }]').map((one) => one.args)).toEqual([
      { fe: 'router', for: 5 },
      { off: true },
    ]);
  });
});

describe('a mistake', () => {
  it('in an action’s name is told with the valid ones', () => {
    const [error] = wrong('timeline: [[5, fe.hnag, router]]');
    expect(error).toMatch(/^x\.yaml: timeline\[0\]: "fe\.hnag" is no action/);
    for (const name of Object.keys(ACTIONS)) expect(error).toContain(name);
  });

  it('in an argument is told with its value and what to give', () => {
    expect(wrong('timeline: [[5, fe.hang, { fe: gateway }]]')).toEqual(['x.yaml: timeline[0] fe.hang.fe: "gateway" is wrong; give one of router, mini_lb']);
    expect(wrong('timeline: [[5, load, huge]]')).toEqual(['x.yaml: timeline[0] load.level: "huge" is wrong; give one of none, light, busy, saturated']);
    expect(wrong('timeline: [[5, fe.hang, { fe: router, what: 1 }]]')[0]).toContain('valid are fe, for, off');
    expect(wrong('timeline: [[5, compile, decode]]')[0]).toContain('compile.seconds: is missing');
  });

  it('is told together with all others', () => {
    expect(wrong('timeline: [[5, fe.hang], [6, nope], [x, load, busy]]')).toHaveLength(3);
    expect(wrong('stack: { dp: 0, loads: maybe }\nfoo: 1')).toHaveLength(3);
  });

  it('in the truth is told: an unknown front-end, a place that is none, a time after the end', () => {
    const told = wrong(
      'truth:\n - { from: 90, by: 30, verdict: hanging, place: decode, target: nobody }\n - { from: 1, by: 2, verdict: ok, place: front-end nobody }',
    ).join('\n');
    expect(told).toContain('truth[0].target: "nobody" is no front-end here');
    expect(told).toContain('after the end');
    expect(told).toContain('truth[1].place: "front-end nobody" names no front-end');
    expect(wrong('truth: [{ from: 1, by: 2, verdict: ok, place: kitchen }]')[0]).toContain('"kitchen" is wrong');
  });

  it('in the YAML itself is told with its line', () => {
    expect(parseScenario('id: [', 'y.yaml')).toEqual({ errors: [expect.stringMatching(/^y\.yaml: this is not YAML: .*line 1/)] });
  });
});

describe('a stack that exists', () => {
  const standing = 'standing: { frontEnds: [{ name: fe, url: http://127.0.0.1:9 }], engines: [{ name: e, url: http://127.0.0.1:10 }] }\n';

  it('takes commands with commas of their own, whether written by name or as a call', () => {
    const parsed = parseScenario(
      `id: X\ntitle: x\nlasts: 100\n${standing}timeline:\n - [5, exec, { command: "a b, c", heal: d, for: 9 }]\n - [6, "exec(kill -STOP 1, 2)"]\n`,
      'x.yaml',
    );
    if ('errors' in parsed) throw new Error(parsed.errors.join('\n'));
    expect(parsed.scenario.timeline.map((one) => one.args)).toEqual([{ command: 'a b, c', heal: 'd', for: 9 }, { command: 'kill -STOP 1, 2' }]);
    expect(parsed.scenario.stack).toMatchObject({ frontEnds: [{ name: 'fe' }], prefill: 0, decode: 0, unified: 0 });
  });

  it('knows no simulated part, and a simulated stack no command', () => {
    expect(wrong(`${standing}timeline: [[5, fe.hang, fe]]`)[0]).toContain('timeline[0] fe.hang: needs a simulated part');
    expect(wrong('timeline: [[5, exec, reboot]]')[0]).toContain('name yours under standing');
    expect(wrong(`${standing}stack: { pairs: 1 }`)[0]).toContain('stack and standing: both are given');
  });

  it('is named by addresses or by a configuration file, and truth speaks of its front-ends', () => {
    expect(wrong('standing: {}')[0]).toContain('names no stack');
    expect(wrong('standing: { frontEnds: [{ name: fe, url: "localhost:1" }] }')[0]).toContain('write http://host:port');
    expect(wrong(`${standing}truth: [{ from: 1, by: 2, verdict: ok, place: none, target: e }]`)[0]).toContain('"e" is no front-end here; write one of fe');
    expect(wrong('standing: { config: w.yaml }\ntruth: [{ from: 1, by: 2, verdict: ok, place: none, target: any }]')).toEqual([]);
  });
});
