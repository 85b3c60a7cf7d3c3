import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ACTIONS } from '@/lib/scenarios/vocabulary';
import { spectate } from './spectator';

const root = join(__dirname, '..', '..');
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

describe('npm run simulate', () => {
  it('--list tells every action with its arguments', async () => {
    const { out, code } = await finished('--list');
    expect(code).toBe(0);
    for (const [name, { about }] of Object.entries(ACTIONS)) {
      expect(out).toContain(`${name}(`);
      expect(out).toContain(about);
    }
  });

  it('plays a file from any folder, prints URLs and changes, and SIGINT ends everything at once', async () => {
    const file = join(tmpdir(), `scenario-${process.pid}.yaml`);
    writeFileSync(file, 'id: mine\ntitle: my own\nlasts: 900\ntimeline: [[1, fe.hang, router]]\n');
    const base = await freePorts();
    const child = start(file, '--base-port', String(base), '--time-scale', '10', '--seed', '3');
    const out = await said(child, 'fe.hang fe=router');
    for (const port of [base, base + 1, base + 2, base + 3]) expect(out).toContain(`http://127.0.0.1:${port}`);
    const timeline = JSON.parse((await spectate(`http://127.0.0.1:${base + 5}/timeline`).over).text);
    expect(timeline.changes.at(-1)).toMatchObject({ action: 'fe.hang', args: { fe: 'router' } });
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    expect(await isRefused(base + 1)).toBe(true);
  });

  it('starts again when the timeline is over and it shall loop', async () => {
    const file = join(tmpdir(), `scenario-loop-${process.pid}.yaml`);
    writeFileSync(file, 'id: mine\ntitle: my own\nlasts: 10\ntimeline: [[5, sched.freeze, decode]]\n');
    const child = start(file, '--base-port', String(await freePorts()), '--time-scale', '20', '--loop');
    const out = await said(child, 'from the start again', 'sched.freeze');
    expect(out.indexOf('from the start again')).toBeGreaterThan(out.indexOf('sched.freeze'));
  });

  it('tells a taken port, and every mistake of a file, and ends with an error', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const busy = await finished('lib/scenarios/incident.yaml', '--base-port', String(port));
    taken.close();
    expect(busy).toMatchObject({
      code: 1,
      err: `simulate: port ${port} for prefill-0 is taken by another program; stop it, or choose other ports with --base-port\n`,
    });
    expect(await finished('no-such-file.yaml')).toMatchObject({ code: 1, err: expect.stringContaining('no-such-file.yaml: cannot be read') });
    const file = join(tmpdir(), `scenario-bad-${process.pid}.yaml`);
    writeFileSync(file, 'id: mine\ntitle: my own\nlasts: 10\ntimeline: [[5, nope], [6, load, huge]]\n');
    const bad = await finished(file);
    expect(bad.err).toContain('"nope" is no action');
    expect(bad.err).toContain('"huge" is wrong');
  });
});

function start(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', 'lib/simulator/main.ts', ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}

async function finished(...args: string[]): Promise<{ out: string; err: string; code: number | null }> {
  const child = start(...args);
  const told = { out: '', err: '' };
  child.stdout?.on('data', (data) => {
    told.out += data;
  });
  child.stderr?.on('data', (data) => {
    told.err += data;
  });
  const [code] = await once(child, 'close');
  return { ...told, code };
}

/** All output once these words have come, one after the other. */
function said(child: ChildProcess, ...words: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = '';
    child.stdout?.on('data', (data) => {
      out += data;
      const at = words.reduce((from, word) => (from < 0 ? from : out.indexOf(word, from)), 0);
      if (at >= 0) resolve(out);
    });
    child.on('exit', () => reject(new Error(`it ended after saying: ${out}`)));
  });
}

/** First of twelve ports in a row that are free, below those that the system hands out by itself. */
async function freePorts(): Promise<number> {
  for (let base = 11_000 + ((process.pid * 16) % 8000); base < 30_000; base += 16) {
    const free = await Promise.all(Array.from({ length: 12 }, (_, i) => isRefused(base + i)));
    if (free.every(Boolean)) return base;
  }
  throw new Error('no twelve free ports in a row below 30000');
}

function isRefused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', () => resolve(true));
  });
}
