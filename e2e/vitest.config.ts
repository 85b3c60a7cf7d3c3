import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

// Processes and ports are started by these tests: one file at a time.
export default defineConfig({
  resolve: { alias: { '@': root } },
  test: { root, include: ['e2e/integration/**/*.test.ts', 'e2e/real/**/*.test.ts'], fileParallelism: false, testTimeout: 120_000, hookTimeout: 120_000 },
});
