import { connect, createServer } from 'node:net';
import { Transform } from 'node:stream';

/**
 * TCP relays in a process of their own: what one names goes on to where it points. While the process is stopped, what is open is silent and new
 * connections get no answer, as when a cable is cut; its queue of waiting connections is as short as can be, so that it is soon full.
 * Addresses that an answer names (a gateway lists its workers) are told as they are reached from this side; all are equally long.
 */
export type ToRelay = { kind: 'relay'; ports: number[] } | { kind: 'names'; ports: [from: number, to: number][] };
export type FromRelay = { kind: 'loaded' } | { kind: 'ready'; ports: number[] } | { kind: 'error'; message: string };

const BACKLOG = 1;
let names: (readonly [from: string, to: string])[] = [];

process.on('message', (message: ToRelay) => {
  if (message.kind === 'names') {
    names = message.ports.map(([from, to]) => [`127.0.0.1:${from}`, `127.0.0.1:${to}`]);
    return;
  }
  Promise.all(message.ports.map(open)).then(
    (ports) => process.send?.({ kind: 'ready', ports }),
    (error: Error) => process.send?.({ kind: 'error', message: error.message }),
  );
});
process.once('disconnect', () => process.exit(0));
process.send?.({ kind: 'loaded' });

function translated(): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let text = chunk.toString('latin1');
      for (const [from, to] of names) if (text.includes(from)) text = text.replaceAll(from, to);
      done(null, Buffer.from(text, 'latin1'));
    },
  });
}

function open(to: number): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: to, host: '127.0.0.1', allowHalfOpen: true });
    near.pipe(far);
    far.pipe(translated()).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      // how a connection ends is news too: a reset is handed on as a reset
      one.on('error', () => other.resetAndDestroy());
      one.on('close', () => other.destroy());
    }
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1', backlog: BACKLOG }, () => {
      const address = server.address();
      if (address !== null && typeof address !== 'string') resolve(address.port);
    });
  });
}
