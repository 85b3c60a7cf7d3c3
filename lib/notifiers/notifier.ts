import type { RequestSpec } from '@/lib/model/exchange';
import type { Incident } from '@/lib/model/incident';

/** What somebody who is not looking is told of. */
export type Change = 'opened' | 'cleared' | 'acknowledged' | 'shelved' | 'unshelved';

/** A member of the notifier set: pure, an incident's change as one request. The request may hold secrets and is never stored. */
export type Notifier = {
  /** Where it tells, one phrase for a person. */
  title: string;
  request(change: Change, incident: Incident, to: { url: string; headers: Record<string, string> }): RequestSpec;
};
