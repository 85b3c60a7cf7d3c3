import type { Prng } from '../prng';

/** One room: what the hand-over of one request has come to. */
type Room = {
  prefill: string;
  decode?: string;
  /** When the prefill's bootstrap thread has the decode's addresses; absent: not sent, or lost. */
  addressesAt?: number;
  sentAt?: number;
  doneAt?: number;
  fate: 'fine' | 'stuck' | 'failed';
  /** When the peer died under it. */
  prefillDiedAt?: number;
  decodeDiedAt?: number;
  /** Told time at which the room was last touched, for forgetting it. */
  touched: number;
};

/** Seconds until the surviving side gives a dead peer's rooms up: 5 s heart-beats, 2 failures (SGLang's sources); an inflight transfer takes longer. */
const HEARTBEAT_S = 12;
const INFLIGHT_GIVES_UP_S = 30;

/** The hand-over between prefills and decodes: bootstrap rooms and the transfer of KV. */
export class KvPath {
  stuckShare = 0;
  failShare = 0;
  slowFactor = 1;
  waitingTimeout = 300;
  bootstrapTimeout = 300;
  /** `decode>prefill` pairs whose transfers are lost. */
  readonly stale = new Set<string>();
  readonly bootDead = new Set<string>();
  readonly bootHangUntil = new Map<string, number>();
  /** Engines that accept no connection or answer none. */
  readonly silent = new Map<string, number>();
  private readonly ports = new Map<number, string>();
  private readonly rooms = new Map<string, Room>();

  constructor(private readonly dice: Prng) {}

  register(prefill: string, bootstrapPort: number): void {
    this.ports.set(bootstrapPort, prefill);
  }

  /** Name of the prefill at a bootstrap port; with one prefill it is that one. */
  prefillAt(port: number | undefined): string {
    return this.ports.get(port ?? -1) ?? [...this.ports.values()][0] ?? '';
  }

  /** Whether decode can learn the prefill's layout, which its HTTP process tells. */
  hasLayout(port: number | undefined): boolean {
    return !this.silent.has(this.prefillAt(port));
  }

  sendAddresses(id: string, port: number | undefined, decode: string, now: number): void {
    const room = this.room(id, port, now);
    room.decode = decode;
    room.sentAt = now;
    if (!this.bootDead.has(room.prefill)) room.addressesAt = Math.max(now, this.bootHangUntil.get(room.prefill) ?? 0);
  }

  /** Prefill's side: have the decode's addresses come? */
  isMet(id: string, now: number): boolean {
    const at = this.rooms.get(id)?.addressesAt;
    return at !== undefined && at <= now;
  }

  /** Prefill's side: the forward pass is done, KV starts to move and would take `seconds`. */
  startTransfer(id: string, seconds: number, now: number): void {
    const room = this.rooms.get(id);
    if (room === undefined) return;
    room.touched = now;
    room.doneAt = now + seconds * this.slowFactor;
    if (this.dice.chance(this.failShare)) room.fate = 'failed';
    else if (this.dice.chance(this.stuckShare) || this.stale.has(`${room.decode}>${room.prefill}`)) room.fate = 'stuck';
  }

  /** How the transfer stands, as either side polls it. */
  poll(id: string, side: 'prefill' | 'decode', now: number): 'going' | 'done' | 'failed' {
    const room = this.rooms.get(id);
    if (room === undefined) return 'going';
    if (room.fate === 'failed') return 'failed';
    if (side === 'decode') {
      const diedAt = room.prefillDiedAt ?? this.silent.get(room.prefill);
      if (room.doneAt === undefined && diedAt !== undefined && now - diedAt > HEARTBEAT_S) return 'failed';
    } else if (room.decodeDiedAt !== undefined && now - room.decodeDiedAt > INFLIGHT_GIVES_UP_S) return 'failed';
    const isDone =
      room.fate === 'fine' && room.doneAt !== undefined && room.doneAt <= now && room.decodeDiedAt === undefined && room.prefillDiedAt === undefined;
    return isDone ? 'done' : 'going';
  }

  /** A process has ended: its rooms are dead, its peers find out later. */
  died(engine: string, now: number): void {
    for (const room of this.rooms.values()) {
      if (room.prefill === engine) room.prefillDiedAt ??= now;
      if (room.decode === engine) room.decodeDiedAt ??= now;
    }
    for (const pair of this.stale) if (pair.startsWith(`${engine}>`)) this.stale.delete(pair);
    this.bootDead.delete(engine);
    this.bootHangUntil.delete(engine);
  }

  forget(now: number): void {
    for (const [id, room] of this.rooms) if (now - room.touched > 1200) this.rooms.delete(id);
  }

  private room(id: string, port: number | undefined, now: number): Room {
    const room = this.rooms.get(id) ?? { prefill: this.prefillAt(port), fate: 'fine', touched: now };
    this.rooms.set(id, room);
    room.touched = now;
    return room;
  }
}
