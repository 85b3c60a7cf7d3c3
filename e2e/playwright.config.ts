import { defineConfig } from '@playwright/test';

const isRoot = process.getuid?.() === 0;
const report = process.env.WEDGEWATCH_REPORT;

/** Quiet flags: no GPU, no sandbox where the kernel refuses one to root, and no calls home. */
const args = [
  ...(isRoot ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  workers: 1,
  fullyParallel: false,
  forbidOnly: process.env.CI !== undefined,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: report === undefined ? [['list']] : [['list'], ['json', { outputFile: report }]],
  use: {
    headless: true,
    viewport: { width: 1366, height: 768 },
    trace: 'retain-on-failure',
    launchOptions: { args, executablePath: process.env.WEDGEWATCH_CHROMIUM },
  },
});
