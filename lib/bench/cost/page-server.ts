import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { movingPage } from './engine-page';

/** One process that serves the same moving page on many ports, and counts who has read it. */
export type PageServerStart = { count: number; everyMs: number; gzip: boolean };
export type FromPageServer = { ports: number[]; bytes: number; packedBytes: number; families: number; samples: number } | { reads: Record<string, number> };

const { count, everyMs, gzip } = JSON.parse(process.argv[2] ?? '{}') as PageServerStart;
const page = movingPage(1);
const reads: Record<string, number> = {};
let plain = Buffer.from(page.next());
let packed = gzipSync(plain);
// Made anew a few times per interval and not for every reader: making pages is not what is measured.
setInterval(() => {
  plain = Buffer.from(page.next());
  packed = gzipSync(plain);
}, everyMs / 4);

const ports = await Promise.all(Array.from({ length: count }, () => listening(createServer(answer))));
process.send?.({ ports, bytes: plain.length, packedBytes: packed.length, families: page.families, samples: page.samples } satisfies FromPageServer);
process.on('message', () => process.send?.({ reads } satisfies FromPageServer));

function answer(request: IncomingMessage, response: ServerResponse) {
  const isPacked = gzip && String(request.headers['accept-encoding'] ?? '').includes('gzip');
  const body = isPacked ? packed : plain;
  response.writeHead(200, {
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    'content-length': body.length,
    ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
  });
  response.end(body);
  const reader = String(request.headers['user-agent'] ?? '').split('/')[0] ?? '';
  reads[reader] = (reads[reader] ?? 0) + 1;
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
