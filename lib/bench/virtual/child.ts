import type { Run } from '../outcome';
import { runVirtual, type VirtualOrder } from './run';

/** One run in virtual time in a process of its own, which has nothing else to do. */
export type ToVirtual = { kind: 'run'; order: VirtualOrder };
export type FromVirtual = { kind: 'loaded' } | { kind: 'at'; seconds: number } | { kind: 'finished'; run: Run } | { kind: 'error'; message: string };

const TOLD_EACH_S = 600;

process.on('message', ({ order }: ToVirtual) => {
  let next = TOLD_EACH_S;
  const told = (seconds: number) => {
    if (seconds < next) return;
    next += TOLD_EACH_S;
    say({ kind: 'at', seconds });
  };
  runVirtual(order, told).then(
    (run) => say({ kind: 'finished', run }),
    (error: unknown) => say({ kind: 'error', message: error instanceof Error ? error.message : String(error) }),
  );
});
process.once('disconnect', () => process.exit(0));
say({ kind: 'loaded' });

function say(message: FromVirtual) {
  process.send?.(message);
}
