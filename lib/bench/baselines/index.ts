import type { Baseline } from './baseline';
import { blackbox } from './blackbox';
import { health } from './health';
import { kubernetes } from './kubernetes';
import { streaming } from './streaming';

/** What is compared with, in the order of the table. */
export const BASELINES: readonly Baseline[] = [health, kubernetes, blackbox, streaming];
