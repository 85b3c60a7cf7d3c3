import type { Network } from './network';
import type { Slot } from './slot';

type Announced = { action: string; args: Record<string, unknown> };
type Hands = { slot: Slot; network: Network | undefined; scale: number; paused(from: number, to: number): void };

/** What happens to whoever watches: the simulator announces it, and the runner does it, to the baselines too. */
export function dash({ action, args }: Announced, { slot, network, scale, paused }: Hands): void {
  if (args.off === true) return;
  const realMs = (seconds: unknown) => (Number(seconds) * 1000) / scale;
  switch (action) {
    case 'dash.pause': {
      const from = Date.now();
      slot.watcher.stop();
      slot.monitors.stop();
      setTimeout(() => {
        slot.watcher.continue();
        slot.monitors.continue();
        paused(from, Date.now());
      }, realMs(args.seconds));
      return;
    }
    case 'dash.net': {
      const mend = network?.cut(Array.isArray(args.targets) ? args.targets.map(String) : undefined);
      if (mend !== undefined) setTimeout(mend, realMs(args.down));
      return;
    }
    case 'dash.clock':
      slot.watcher.send({ kind: 'clock', seconds: Number(args.delta) });
      return;
    case 'dash.model':
      slot.watcher.send({ kind: 'model', front: String(args.fe), id: String(args.id) });
  }
}
