import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { aProbe } from './examples';
import { openOrForget } from './or-forget';

const folder = mkdtempSync(join(tmpdir(), 'wedgewatch-forget-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('forgets where it cannot write, says why, and keeps once it can', () => {
  const data = join(folder, 'data');
  writeFileSync(data, 'a file in the place of the folder');
  const first = openOrForget(data);
  first.store.putProbe(aProbe({ id: 'p' }));
  first.store.flush();
  expect(first.store.probe('p')).toBeDefined();
  expect(first.notKept).toMatch(/^history is not being kept: store: cannot write .*set "data" to another folder$/);

  rmSync(data);
  mkdirSync(data);
  const second = openOrForget(data);
  expect(second.notKept).toBeUndefined();
  expect(second.store.probe('p')).toBeUndefined();
  second.store.close();
});

it('does not begin beside another that writes there', () => {
  const data = join(folder, 'taken');
  openOrForget(data).store.close();
  // The parent of this process lives as long as it does.
  const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  writeFileSync(join(data, 'writer.json'), JSON.stringify({ pid: process.ppid, started }));
  expect(() => openOrForget(data)).toThrow(`in use by the Wedgewatch with process id ${process.ppid}`);
});
