'use client';

import { useSnapshot } from '@/lib/client/queries';
import { elapsed } from '@/lib/format';
import { type AlarmState, alarmState, type Incident } from '@/lib/model/incident';
import { Time } from '../ui/time';

/** Where an alarm stands for people; what waits for somebody is strong, what somebody has in hand is not. */
export function AlarmStateWord({ incident, isShort = false }: { incident: Incident; isShort?: boolean }) {
  const { state, now } = useAlarmState(incident);
  const { ack, shelf } = incident;
  return (
    <span className={WAITS.has(state) ? 'font-bold' : ''}>
      {(isShort ? SHORT : WORDS)[state]}
      {ack && state !== 'shelved' && state !== 'out of service' ? ` by ${ack.by}` : ''}
      {shelf && state === 'shelved' ? (
        <>
          {' '}
          until <Time at={shelf.until} />
          {isShort ? '' : ` (${elapsed(shelf.until - now)} left) by ${shelf.by}: ${shelf.reason}`}
        </>
      ) : null}
    </span>
  );
}

const WAITS: ReadonlySet<AlarmState> = new Set<AlarmState>(['new', 'returned']);

/** The states as people read them. */
export const WORDS: Record<AlarmState, string> = {
  new: 'new, nobody has acknowledged it',
  acknowledged: 'acknowledged',
  shelved: 'shelved',
  'out of service': 'out of service: probing is paused',
  returned: 'cleared, nobody has acknowledged it',
  closed: 'cleared, acknowledged',
};

const SHORT: Record<AlarmState, string> = { ...WORDS, new: 'not acknowledged', returned: 'cleared, not acknowledged', 'out of service': 'out of service' };

/** The state now, or at the second that is shown. */
export function useAlarmState(incident: Incident): { state: AlarmState; now: number } {
  const seen = useSnapshot((snapshot) => ({
    at: snapshot.at,
    paused: snapshot.stacks.flatMap((stack) => stack.nodes.filter((node) => node.budget?.paused).map((node) => node.id)),
  }));
  const now = seen?.at ?? incident.openedAt;
  return { state: alarmState(incident, now, new Set(seen?.paused)), now };
}
