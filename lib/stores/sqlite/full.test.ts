import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { explain } from '../failure';
import { connect, DATABASE_FILE, openForWriting } from './database';

test('a full disk is told with path and remedy, and leaves no transaction open', () => {
  const dir = mkdtempSync(join(tmpdir(), 'wedgewatch-full-'));
  openForWriting(dir).close();
  const path = join(dir, DATABASE_FILE);
  const connection = connect(path);
  // The database's own limit of pages fails with the same code as a disk without room.
  connection.all('pragma max_page_count = 60');
  const fill = () =>
    connection.atomically('immediate', () => {
      for (let i = 0; i < 500; i++) connection.run('insert into event (id, at, stack, body) values (?, ?, ?, ?)', `e${i}`, i, '', 'x'.repeat(3000));
    });
  let failure: Error | undefined;
  try {
    fill();
  } catch (error) {
    failure = explain(error, path);
  }
  expect(failure?.name).toBe('StoreFull');
  expect(failure?.message).toMatch(/^store: no room to write .*wedgewatch\.db .*; free disk space, or lower "retention"/);
  connection.all('pragma max_page_count = 100000');
  fill();
  expect(connection.get<{ n: number }>('select count(*) as n from event')?.n).toBe(500);
  connection.close();
});
