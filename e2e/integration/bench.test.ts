import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '@/lib/cli/ready.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wedgewatch-bench-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function bench(...args: string[]): Promise<{ code: number | null; text: string; errors: string }> {
  const child = spawn('npx', ['tsx', 'lib/bench/detect.ts', ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  let errors = '';
  child.stdout.on('data', (piece) => {
    text += piece;
  });
  child.stderr.on('data', (piece) => {
    errors += piece;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, text, errors })));
}

/** Two front-ends of other names and one decode that is frozen, after a burst and beside a slow transfer: actions that no scenario of ours uses together. */
const OWN = `id: OWN-1
title: A frozen decode behind renamed doors
story: A burst, slow transfers, and then a decode scheduler that stands.
lasts: 150
stack: { pairs: 1, frontEnds: [{ name: north, kind: gateway }, { name: south, kind: mini_lb }] }
traffic: light
timeline:
  - [20, burst, { n: 6 }]
  - [30, xfer.slow, { factor: 1.5 }]
  - [60, sched.freeze, { role: decode-0 }]
  - [110, sched.thaw, { role: decode-0 }]
truth:
  - { from: 60, by: 30, verdict: hanging, place: decode, heal: 110 }
`;

test('a folder with one new file is played and scored without a line of code', async () => {
  writeFileSync(join(folder, 'own.yaml'), OWN);
  const { code, text, errors } = await bench('--scenarios', folder, '--seeds', '1', '--virtual', '--no-baselines', '--out', folder);
  expect(`${code} ${errors}`).toContain('0 OWN-1 seed 0');
  expect(text).toMatch(/OWN-1 \(virtual\) \| 1\/1 +\| 1\/1 /);
  const told = JSON.parse(readFileSync(join(folder, 'detect.json'), 'utf8'));
  expect(told.runs[0]).toMatchObject({ scenario: 'OWN-1', score: { verdict: true, place: true } });
});

test('a file with mistakes, an unknown scenario and a wrong number are each told in a sentence, and nothing is played', async () => {
  writeFileSync(join(folder, 'own.yaml'), OWN.replace('sched.freeze', 'sched.freze'));
  const typo = await bench('--scenarios', folder);
  expect(typo).toMatchObject({ code: 2, text: '' });
  expect(typo.errors).toMatch(/own\.yaml: timeline\[2\].*sched\.freze/);
  const wrong = await bench('--only', 'SC-99', '--jobs', 'many');
  expect(wrong.code).toBe(2);
  expect(wrong.errors).toContain('--jobs: "many" is wrong');
});

test('commands in a scenario are refused unless they are allowed', async () => {
  const { code, errors } = await bench('--scenarios', 'e2e/real/scenarios/vllm');
  expect(code).toBe(2);
  expect(errors).toMatch(/rv-01.*exec\.command.*would run in a shell.*--allow-exec/);
});
