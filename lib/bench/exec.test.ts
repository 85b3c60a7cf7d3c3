import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseScenario, type Step } from '@/lib/scenarios/scenario';
import { refusal, startExec } from './exec';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wedgewatch-exec-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const step = (command: string, heal?: string): Step => ({ at: 0, action: 'exec', args: { command, ...(heal === undefined ? {} : { heal }) } });
const exec = () => startExec(folder, join(folder, 'log'));
const text = (name: string) => readFileSync(join(folder, name), 'utf8');

describe('a command on a stack that exists', () => {
  it('runs in the folder of its file and tells how it ended', async () => {
    const hand = exec();
    expect(await hand.act(step('echo done > here')).ended).toEqual({ code: 0, tail: '' });
    expect(await hand.act(step('echo no such thing >&2; exit 3')).ended).toEqual({ code: 3, tail: 'no such thing' });
    expect(await hand.end()).toEqual([]);
    expect(text('here')).toBe('done\n');
    expect(text('log')).toContain('$ echo no such thing');
  });

  it('is healed when it is undone, and not a second time at the end', async () => {
    const hand = exec();
    const deed = hand.act(step('echo hurt >> story', 'echo healed >> story'));
    await deed.ended;
    deed.undo();
    expect(await hand.end()).toEqual([]);
    expect(text('story')).toBe('hurt\nhealed\n');
  });

  it('is healed at the end if nobody undid it, the newest first, also when it failed', async () => {
    const hand = exec();
    await hand.act(step('true', 'echo first >> story')).ended;
    await hand.act(step('exit 1', 'echo second >> story')).ended;
    await hand.end();
    expect(text('story')).toBe('second\nfirst\n');
  });

  it('is ended before it is healed when it still runs', async () => {
    const hand = exec();
    hand.act(step('trap "echo ended >> story; exit" TERM; echo begun >> story; while :; do sleep 0.05; done', 'echo healed >> story'));
    await appears('story');
    await hand.end();
    expect(text('story')).toBe('begun\nended\nhealed\n');
  });

  it('that could not be healed is told', async () => {
    const hand = exec();
    await hand.act(step('true', 'echo stuck; exit 7')).ended;
    expect(await hand.end()).toEqual(['the heal of "true" ended with 7: stuck']);
  });

  it('is healed even when the runner is killed with -9', async () => {
    const code = `import { startExec } from ${JSON.stringify(fileURLToPath(new URL('./exec.ts', import.meta.url)))};
      startExec(${JSON.stringify(folder)}, ${JSON.stringify(join(folder, 'log'))}).act({ at: 0, action: 'exec', args: { command: 'echo hurt > hurt; sleep 60', heal: 'echo healed > healed' } });
      setInterval(() => {}, 1000);`;
    const runner = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], { stdio: 'inherit' });
    await appears('hurt');
    const gone = once(runner, 'exit');
    runner.kill('SIGKILL');
    await gone;
    await appears('healed');
    expect(text('healed')).toBe('healed\n');
  });
});

describe('a file with commands', () => {
  const head = 'id: X\ntitle: x\nlasts: 100\nstanding: { frontEnds: [{ name: fe, url: http://127.0.0.1:9 }] }\n';
  const read = (rest: string) => {
    const parsed = parseScenario(head + rest, 'x.yaml');
    if ('errors' in parsed) throw new Error(parsed.errors.join('\n'));
    return parsed.scenario;
  };

  it('is refused without leave, with file, field and command', () => {
    const told = refusal(read('timeline: [[1, dash.pause, 3], [2, exec, { command: rm important }]]'), 'dir/x.yaml');
    expect(told).toMatch(/^dir\/x\.yaml: timeline\[1\]\.exec\.command: "rm important" would run in a shell/);
    expect(told).toContain('--allow-exec');
    expect(refusal(read('traits: [[exec, { command: up }]]'), 'x.yaml')).toContain('traits[0].exec.command: "up"');
  });

  it('that runs none is not refused', () => {
    expect(refusal(read('timeline: [[1, dash.pause, 3]]'), 'x.yaml')).toBeUndefined();
  });
});

/** A file of the folder is there with something in it. */
function appears(name: string): Promise<void> {
  return new Promise((done) => {
    const watcher = watch(folder, look);
    function look() {
      if (!existsSync(join(folder, name)) || text(name) === '') return;
      watcher.close();
      done();
    }
    look();
  });
}
