import type { Scenario } from '@/lib/scenarios/scenario';

/** What is said of one thing at one moment. */
export type Word = { verdict: string; place: string; detail?: string; rate?: [number, number] };

/** One second of a run as the watcher published it; `s` told seconds since the scenario began. */
export type Line = {
  s: number;
  stack: Word & { sentence: string };
  fronts: (Word & { name: string; phase?: string; since: number; unfinished: number; aborts: number })[];
  /** Control calls of ours that wait at one engine, the most of any. */
  controlCalls: number;
  lagMs: number;
  top?: string;
};

/** One chat of ours: told seconds of its sending, and the deadline it had. */
export type Chat = { front: string; sentS: number; deadlineS: number; late: boolean };

/** What watching did to the stack, as the stack itself saw it: the worst of any front-end, or engine. */
export type Harm = { unfinished: number; perTenSeconds: number; abortsPerTenMinutes: number; controlCallsAtOnce: number };

/** How late our own loops were, from when to when in told seconds, as a share of the deadline of the chat judged then; `ofStack`: the simulator's loop, against the shortest one. */
export type Lag = { fromS: number; toS: number; share: number; ofStack?: true };

/** How a run's time passed: real sockets at so many told seconds a second, or virtual time. */
export type Pace = { kind: 'sockets'; scale: number } | { kind: 'virtual' };

/** What a baseline says of one front-end from this told second on. */
export type BaselineWord = { s: number; front: string; isDown: boolean };

/** A finished run: what was shown each second, what was sent, and what it did to the stack. */
export type Run = {
  /** As played: with this seed's names. */
  scenario: Scenario;
  seed: number;
  speed: number;
  loads: 'ask' | 'snapshot';
  pace: Pace;
  lines: Line[];
  chats: Chat[];
  harm: Harm;
  lags: Lag[];
  /** When we ourselves were stopped on purpose, told seconds. */
  pauses: { fromS: number; toS: number }[];
  baselines: Record<string, BaselineWord[]>;
  realSeconds: number;
  failed?: string;
};

export const NO_HARM: Harm = { unfinished: 0, perTenSeconds: 0, abortsPerTenMinutes: 0, controlCallsAtOnce: 0 };

export function scaleOf(pace: Pace): number {
  return pace.kind === 'sockets' ? pace.scale : Number.POSITIVE_INFINITY;
}
