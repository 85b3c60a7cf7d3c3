import { readFileSync, rmSync } from 'node:fs';

/** Removes the report of an earlier run, which must not be counted for this one. */
export function forget(report) {
  rmSync(report, { force: true });
}

/** Reads a suite's report (of vitest or of playwright, or `{ skipped: reason }`) into counts. A suite that ended badly has at least one failure. */
export function tally(report, kind, code) {
  const counts = counted(report, kind);
  if (counts === undefined) return { passed: 0, failed: 1, note: `it left no report (exit code ${code})` };
  if (code !== 0 && counts.failed === 0) return { ...counts, failed: 1, note: `it ended with exit code ${code}` };
  return counts;
}

function counted(report, kind) {
  try {
    const found = JSON.parse(readFileSync(report, 'utf8'));
    if (typeof found.skipped === 'string') return { passed: 0, failed: 0, skipped: 1, note: `skipped: ${found.skipped}` };
    return kind === 'playwright' ? ofPlaywright(found.stats) : ofVitest(found);
  } catch {
    return undefined;
  }
}

function ofPlaywright({ expected, flaky, unexpected, skipped }) {
  return { passed: expected + flaky, failed: unexpected, skipped, note: flaky > 0 ? `${flaky} only at the second try` : '' };
}

// A file that cannot even be loaded is a failed suite without a failed test.
function ofVitest({ numPassedTests, numFailedTests, numPendingTests, testResults = [] }) {
  const unloaded = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
  return { passed: numPassedTests, failed: numFailedTests + unloaded, skipped: numPendingTests };
}

/** The summary as aligned text. */
export function table(rows) {
  const lines = [
    ['', 'passed', 'failed', 'skipped', 'time', ''],
    ...rows.map((row) => [row.name, row.passed, row.failed, row.skipped ?? 0, row.took, row.note ?? ''].map(String)),
  ];
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => (column === 0 || column === 5 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
