import type { ActionName } from '@/lib/scenarios/vocabulary';
import type { Act } from '../act';
import { answers } from './answers';
import { dashboard } from './dashboard';
import { frontEnds } from './front-end';
import { handOver } from './hand-over';
import { processes } from './process';
import { scheduler } from './scheduler';
import { traffic } from './traffic';

/** Every action of the vocabulary, done. */
export const acts: Record<ActionName, Act> = { ...traffic, ...scheduler, ...handOver, ...processes, ...frontEnds, ...answers, ...dashboard };
