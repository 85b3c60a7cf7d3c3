import { type AlarmState, alarmState, type Incident } from '@/lib/model/incident';
import type { PlaceKind, Verdict } from '@/lib/model/verdict';
import type { Store } from '@/lib/stores/store';

const MOST_LOOKED_AT = 5_000;

/** What the list of incidents may be narrowed to. `text` is looked for in sentences, suspicions, notes and ids. */
export type Wanted = {
  stack?: string;
  verdict?: Verdict;
  place?: PlaceKind;
  state?: 'open' | AlarmState;
  acknowledged?: boolean;
  text?: string;
  from?: number;
  to?: number;
  limit: number;
};

/** The incidents that are wanted, newest first. */
export function searched(history: Store | undefined, want: Wanted, now: number): Incident[] {
  if (!history) return [];
  const { stack, from, to, limit } = want;
  const isNarrow = want.verdict ?? want.place ?? want.state ?? want.acknowledged ?? want.text;
  const range = { ...(stack === undefined ? {} : { stack }), ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const all = history.incidents({ ...range, limit: isNarrow === undefined ? limit : MOST_LOOKED_AT });
  const says = want.text === undefined ? () => true : saying(history, want.text);
  return all
    .filter((each) => (want.verdict ?? each.verdict) === each.verdict)
    .filter((each) => want.place === undefined || each.place?.kind === want.place)
    .filter((each) => want.acknowledged === undefined || (each.ack !== undefined) === want.acknowledged)
    .filter((each) => want.state === undefined || (want.state === 'open' ? each.closedAt === undefined : alarmState(each, now) === want.state))
    .filter(says)
    .slice(0, limit);
}

/** Every word must occur, in the incident itself or in one of its notes. */
function saying(history: Store, text: string): (incident: Incident) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const notes = new Map<string, string>();
  for (const { incident = '', by, data } of history.events({ kinds: ['note'], limit: MOST_LOOKED_AT }))
    notes.set(incident, `${notes.get(incident) ?? ''} ${by} ${(data as { text?: string } | undefined)?.text ?? ''}`);
  return ({ id, stack, verdict, sentence, place, top, ack, shelf, targets }) => {
    const said = [id, stack, verdict, sentence, place?.kind, place?.name, top?.id, top?.claim, ack?.by, shelf?.by, shelf?.reason, ...targets, notes.get(id)];
    const whole = said.join(' ').toLowerCase();
    return words.every((word) => whole.includes(word));
  };
}
