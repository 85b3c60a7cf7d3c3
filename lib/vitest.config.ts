import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '') } },
  test: {
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['lib/**/*.test.ts', 'components/**/*.test.{ts,tsx}', 'app/**/*.test.ts'],
    testTimeout: 30_000,
  },
});
