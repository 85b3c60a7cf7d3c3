import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Looks at a request before it is served, and changes nothing. */
export type Tap = (req: IncomingMessage, res: ServerResponse) => void;

/** One listening port on loopback that can die and come back on the same number. */
export class Listener {
  port: number;
  tap: Tap | undefined;
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();

  constructor(
    port: number,
    private readonly handle: RequestListener,
    readonly what: string,
  ) {
    this.port = port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get isOpen(): boolean {
    return this.server !== undefined;
  }

  async open(): Promise<void> {
    if (this.server !== undefined) return;
    const server = createServer({ keepAliveTimeout: 5000, requestTimeout: 0, headersTimeout: 0 }, (req, res) => {
      this.tap?.(req, res);
      this.handle(req, res);
    });
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => this.sockets.delete(socket));
    });
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => {
        this.server = undefined;
        reject(error.code === 'EADDRINUSE' ? new Error(takenText(this.what, this.port)) : error);
      });
      server.listen(this.port, '127.0.0.1', () => resolve());
    });
    const address = server.address();
    if (typeof address === 'object' && address !== null) this.port = address.port;
  }

  /** Cuts every connection and refuses new ones, as a killed process does. */
  kill(): void {
    this.server?.close();
    this.server = undefined;
    for (const socket of this.sockets) socket.resetAndDestroy();
    this.sockets.clear();
  }
}

function takenText(what: string, port: number): string {
  return `port ${port} for ${what} is taken by another program; stop it, or choose other ports with --base-port`;
}
