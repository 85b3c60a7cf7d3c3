import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { remedy } from './remedy.mjs';
import { problem, say } from './say.mjs';

/** Runs `work` while no other process does what it guards (installing, building); waits for one that does. A lock of a dead process is void. */
export async function locked(path, work) {
  await acquire(path);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

async function acquire(path) {
  for (let told = false; ; ) {
    const holder = take(path);
    if (holder === undefined) return;
    if (!told) say(`Waiting for process ${holder}, which is installing or building here ...`);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

/** Takes the lock for as long as this process lives, or answers the id of the process that holds it. */
export function take(path) {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return undefined;
  } catch (error) {
    if (error.code !== 'EEXIST') throw problem(`${path} could not be written: ${error.message}. ${remedy(error.message)}`);
    const holder = holderOf(path);
    if (holder !== undefined && lives(holder)) return holder;
    rmSync(path, { force: true });
    return take(path);
  }
}

function holderOf(path) {
  try {
    return Number(readFileSync(path, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function lives(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
