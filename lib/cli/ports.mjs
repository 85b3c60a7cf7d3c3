import { createServer } from 'node:net';

/** Whether nobody listens there, and we may. */
export function isFree(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** The wanted port, else the next free one above it; undefined when the next `tries` are all taken. */
export async function nextFree(wanted, host = '127.0.0.1', tries = 50) {
  for (let port = wanted; port < wanted + tries && port < 65_536; port += 1) if (await isFree(port, host)) return port;
  return undefined;
}
