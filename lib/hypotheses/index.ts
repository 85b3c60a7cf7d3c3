import type { Hypothesis } from '@/lib/model/hypothesis';
import { abortDamage } from './abort-damage';
import { circuitOpen } from './circuit-open';
import { decodeStuck } from './decode-stuck';
import { detokenizerStuck } from './detokenizer-stuck';
import { engineErrors } from './engine-errors';
import { engineGone } from './engine-gone';
import { enginePaused } from './engine-paused';
import { engineStuck } from './engine-stuck';
import { frontEndStuck } from './front-end-stuck';
import { ghostWorker } from './ghost-worker';
import { httpProcessMute } from './http-process-mute';
import { keyMissing } from './key-missing';
import { kvRoomFull } from './kv-room-full';
import { kvTransferStuck } from './kv-transfer-stuck';
import { longPrefill } from './long-prefill';
import { observerBlind } from './observer-blind';
import { overloadNotWedge } from './overload-not-wedge';
import { prefillStuck } from './prefill-stuck';
import { rankStuck } from './rank-stuck';
import { retractionJam } from './retraction-jam';
import { routerPathBroken } from './router-path-broken';
import { slotLeak } from './slot-leak';
import { stalePeer } from './stale-peer';
import { unknownNameHangs } from './unknown-name-hangs';
import { warmingUp } from './warming-up';
import { wrongModelName } from './wrong-model-name';

/** The open set of suspicions, by id. */
export const hypotheses = {
  'front-end-stuck': frontEndStuck,
  'router-path-broken': routerPathBroken,
  'ghost-worker': ghostWorker,
  'circuit-open': circuitOpen,
  'unknown-name-hangs': unknownNameHangs,
  'prefill-stuck': prefillStuck,
  'abort-damage': abortDamage,
  'long-prefill': longPrefill,
  'kv-transfer-stuck': kvTransferStuck,
  'stale-peer': stalePeer,
  'slot-leak': slotLeak,
  'decode-stuck': decodeStuck,
  'rank-stuck': rankStuck,
  'retraction-jam': retractionJam,
  'kv-room-full': kvRoomFull,
  'engine-stuck': engineStuck,
  'engine-paused': enginePaused,
  'detokenizer-stuck': detokenizerStuck,
  'http-process-mute': httpProcessMute,
  'engine-gone': engineGone,
  'engine-errors': engineErrors,
  'warming-up': warmingUp,
  'wrong-model-name': wrongModelName,
  'key-missing': keyMissing,
  'overload-not-wedge': overloadNotWedge,
  'observer-blind': observerBlind,
} satisfies Record<string, Hypothesis>;
