import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { table, tally } from './tally.mjs';

const folder = mkdtempSync(join(tmpdir(), 'wedgewatch-tally-'));

function report(content: unknown): string {
  const path = join(folder, `${Math.random()}.json`);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

describe('the tally of a suite', () => {
  it('counts what vitest reports', () => {
    expect(tally(report({ numPassedTests: 7, numFailedTests: 2, numPendingTests: 1, testResults: [] }), 'vitest', 1)).toEqual({
      passed: 7,
      failed: 2,
      skipped: 1,
    });
  });

  it('counts a test file that could not be loaded as a failure', () => {
    const broken = { numPassedTests: 7, numFailedTests: 0, numPendingTests: 0, testResults: [{ status: 'failed', assertionResults: [] }] };
    expect(tally(report(broken), 'vitest', 1)).toMatchObject({ passed: 7, failed: 1 });
  });

  it('counts what playwright reports, and a test that passed at the second try as passed', () => {
    expect(tally(report({ stats: { expected: 5, flaky: 1, unexpected: 0, skipped: 2 } }), 'playwright', 0)).toMatchObject({ passed: 6, failed: 0, skipped: 2 });
  });

  it('never calls a suite good that ended badly', () => {
    expect(tally(report({ numPassedTests: 7, numFailedTests: 0, numPendingTests: 0, testResults: [] }), 'vitest', 1)).toMatchObject({ passed: 7, failed: 1 });
    expect(tally(join(folder, 'absent.json'), 'vitest', 0)).toMatchObject({ passed: 0, failed: 1 });
  });

  it('tells why a suite was skipped', () => {
    expect(tally(report({ skipped: 'no Python here' }), 'vitest', 0)).toMatchObject({ passed: 0, failed: 0, note: 'skipped: no Python here' });
  });

  it('is shown as aligned columns', () => {
    const lines = table([
      { name: 'unit', passed: 12, failed: 0, took: '3 s' },
      { name: 'test:real', passed: 9, failed: 1, took: '40 s', note: 'look' },
    ]).split('\n');
    expect(lines.slice(1)).toEqual(['unit           12       0        0   3 s', 'test:real       9       1        0  40 s  look']);
  });
});
