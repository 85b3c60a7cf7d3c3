import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Those of the screen and of later work. */
const ELSEWHERE = [16, 18, 20];
const TRAPS = Array.from({ length: 30 }, (_, i) => i + 1).filter((n) => !ELSEWHERE.includes(n));
const titles = ['lib', 'app', 'components', 'e2e']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
  .filter((file) => /\.(test|spec)\.tsx?$/.test(file))
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\b(?:it|test)(?:\.each\([^\n]*?\))?\(\s*['"`](trap \d\d): /g)].map((m) => m[1]));

describe('each way to fool oneself', () => {
  it.each(TRAPS)('number %i has a test of its name', (n) => {
    expect(titles).toContain(`trap ${String(n).padStart(2, '0')}`);
  });
});
