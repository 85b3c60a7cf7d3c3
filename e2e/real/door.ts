import { connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be shut: then connections are refused, as with a process that is gone. */
export type Door = { url: string; shut(): Promise<void> };

export async function openDoor(to: string): Promise<Door> {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  const server = createServer((outer) => {
    const inner = connect(Number(port), hostname);
    for (const [one, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    outer.pipe(inner).pipe(outer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the door has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    shut: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
