import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { type Patience, type Supervisor, supervise } from './supervisor';

const patience: Patience = { silentMs: 300, watchMs: 30, firstBackoffMs: 5, longestBackoffMs: 20, closeMs: 500 };
let running: Supervisor | undefined;

/** Supervise real threads running this source, until the nth has spoken; their words are `workerData`'s number. */
function threads(source: string, untilBirth: number): Promise<{ heard: number[]; deaths: number; supervisor: Supervisor }> {
  return new Promise((resolve) => {
    const heard: number[] = [];
    let deaths = 0;
    const supervisor = supervise<number>(
      {
        begin: (restarts) => new Worker(source, { eval: true, workerData: restarts, stdout: true, stderr: true }),
        hear(word) {
          heard.push(word);
          if (word >= untilBirth) resolve({ heard, deaths, supervisor });
          return word < 0;
        },
        died() {
          deaths += 1;
        },
      },
      patience,
    );
    running = supervisor;
  });
}

const say = "const { parentPort, workerData } = require('node:worker_threads'); parentPort.postMessage(workerData);";

afterEach(() => running?.close('end'));

describe('a supervised thread', () => {
  it('that throws is begun anew, and its error is told', async () => {
    const { deaths, supervisor } = await threads(`${say} if (workerData < 2) setImmediate(() => { throw new Error('out of luck'); });`, 2);
    expect(deaths).toBe(2);
    expect(supervisor.pulse()).toMatchObject({ restarts: 2, lastError: 'out of luck' });
  });

  it('that ends by itself is begun anew', async () => {
    const { heard } = await threads(`${say} if (workerData < 1) parentPort.close();`, 1);
    expect(heard).toEqual([0, 1]);
  });

  it('that stands still is ended and begun anew', async () => {
    const { supervisor } = await threads(`${say} if (workerData < 1) for (;;);`, 1);
    expect(supervisor.pulse().restarts).toBe(1);
    expect(supervisor.pulse().lastError).toContain('silent');
  });

  it('is asked to end, and stays ended', async () => {
    const { supervisor, deaths } = await threads(`${say} parentPort.on('message', () => { parentPort.postMessage(-1); parentPort.close(); });`, 0);
    await supervisor.close('end');
    expect(supervisor.pulse()).toMatchObject({ state: 'closed', restarts: 0 });
    expect(deaths).toBe(0);
  });
});
