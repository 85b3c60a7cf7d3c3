import type { Hypothesis } from '@/lib/model/hypothesis';
import { decodeStuck } from './decode-stuck';
import { engineGone } from './engine-gone';
import { frontEndStuck } from './front-end-stuck';
import { keyMissing } from './key-missing';
import { kvTransferStuck } from './kv-transfer-stuck';
import { observerBlind } from './observer-blind';
import { overloadNotWedge } from './overload-not-wedge';
import { prefillStuck } from './prefill-stuck';
import { responsePathStuck } from './response-path-stuck';
import { routerPathBroken } from './router-path-broken';
import { warmingUp } from './warming-up';
import { wrongModelName } from './wrong-model-name';

/** The open set of suspicions, by id. */
export const hypotheses = {
  'front-end-stuck': frontEndStuck,
  'router-path-broken': routerPathBroken,
  'prefill-stuck': prefillStuck,
  'kv-transfer-stuck': kvTransferStuck,
  'decode-stuck': decodeStuck,
  'response-path-stuck': responsePathStuck,
  'engine-gone': engineGone,
  'warming-up': warmingUp,
  'wrong-model-name': wrongModelName,
  'key-missing': keyMissing,
  'overload-not-wedge': overloadNotWedge,
  'observer-blind': observerBlind,
} satisfies Record<string, Hypothesis>;
