import { type Act, together } from '../act';
import { number, text } from '../arg';
import type { Engine } from '../engine/engine';

/** Engine processes that die, start and fall mute. */
export const processes = {
  'proc.kill': (world, args) => {
    const engines = world.enginesOf(text(args, 'role'));
    const what = text(args, 'what');
    for (const engine of engines) {
      if (what === 'process') engine.kill();
      else engine.killChild(what === 'scheduler' ? 'scheduler' : 'detokenizer');
    }
    return () => startAll(engines, 0);
  },
  'proc.restart': (world, args) => {
    const engines = world.enginesOf(text(args, 'role'));
    for (const engine of engines) engine.kill();
    const stop = world.clock.after(number(args, 'down'), () => startAll(engines, number(args, 'warm')));
    return together([stop, () => startAll(engines, 0)]);
  },
  'proc.mute': (world, args) => {
    const engines = world.enginesOf(text(args, 'role'));
    for (const engine of engines) engine.mute();
    return () => {
      for (const engine of engines) engine.unmute();
    };
  },
  'proc.unmute': (world, args) => {
    for (const engine of world.enginesOf(text(args, 'role'))) engine.unmute();
    return undefined;
  },
} satisfies Record<string, Act>;

function startAll(engines: readonly Engine[], warmSeconds: number): void {
  for (const engine of engines) {
    if (engine.listener?.isOpen === true) continue;
    // The port may have been taken while it was down; the play goes on with the engine dead, which is what a real start would meet.
    engine.start(warmSeconds).catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  }
}
