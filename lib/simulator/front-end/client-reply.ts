import type { ServerResponse } from 'node:http';
import type { FrontEnd } from './front-end';

const SSE = { 'content-type': 'text/event-stream; charset=utf-8' };

/** The answer to one chat as it leaves a front-end, with whatever actions do to it on the way: role first, pings, buffering, loss. */
export class ClientReply {
  private held: (string | Buffer)[] = [];
  private chunks = 0;
  private ended = false;
  private stopPing = () => {};
  private lost: 'before-header' | 'mid-stream' | undefined;

  constructor(
    private readonly fe: FrontEnd,
    private readonly res: ServerResponse,
    private readonly isStream: boolean,
    private readonly model: string,
    private readonly headers: Record<string, string>,
  ) {
    res.on('close', () => this.stopPing());
  }

  /** Once the chat is let in: send the role chunk at once, or decide to lose the answer. */
  letIn(): void {
    this.lost = this.takeDrop();
    if (this.isStream && this.fe.traits.roleFirst) {
      this.open(200, { ...SSE, ...this.headers });
      this.write(roleChunk(this.model));
    }
  }

  get isOpen(): boolean {
    return this.res.headersSent;
  }

  /** Called when the client leaves before the end. */
  onLeave(then: () => void): void {
    this.res.on('close', () => {
      if (!this.ended && !this.res.writableFinished) then();
    });
  }

  open(status: number, headers: Record<string, string>): void {
    if (this.res.headersSent || this.res.destroyed || this.lost === 'before-header') return;
    this.res.writeHead(status, headers);
    this.res.flushHeaders();
    const every = this.fe.state.pingEvery;
    if (every !== undefined && this.isStream) this.stopPing = this.fe.clock.every(every, () => this.res.write(': ping\n\n'));
  }

  write(chunk: string | Buffer): void {
    this.chunks += 1;
    if (this.lost === 'before-header' || (this.lost === 'mid-stream' && this.chunks > 2)) return;
    if (this.fe.state.buffers) this.held.push(chunk);
    else this.res.write(chunk);
  }

  end(): void {
    this.ended = true;
    if (this.lost !== undefined) return;
    this.stopPing();
    for (const chunk of this.held) this.res.write(chunk);
    this.res.end();
  }

  /** Breaks the connection in the client's face. */
  cut(): void {
    this.ended = true;
    if (this.lost !== undefined) return;
    this.stopPing();
    if (this.res.socket !== null) this.res.socket.resetAndDestroy();
    else this.res.destroy();
  }

  /** A whole answer; where the 200 is out already, an event in the gateway's way, which is not JSON (sglang-router 0.3.2, seen running). */
  whole(status: number, text: string, headers: Record<string, string>): void {
    if (this.lost === 'before-header') {
      this.ended = true;
      return;
    }
    if (this.res.headersSent) {
      if (status >= 400) this.write(`data: {'error': ${text}}\n\n`);
      this.end();
      return;
    }
    this.ended = true;
    if (this.res.destroyed) return;
    this.res.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(text) });
    this.res.end(text);
  }

  private takeDrop(): 'before-header' | 'mid-stream' | undefined {
    const drop = this.fe.state.drops.find((one) => one.left > 0 && this.fe.dice.chance(one.share));
    if (drop !== undefined) drop.left -= 1;
    return drop?.when;
  }
}

function roleChunk(model: string): string {
  const choice = { index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null };
  return `data: ${JSON.stringify({ id: 'role-first', object: 'chat.completion.chunk', created: 0, model, choices: [choice] })}\n\n`;
}
