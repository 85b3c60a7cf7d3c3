'use client';

import { useQuery } from '@tanstack/react-query';
import { keptRecord } from '@/lib/client/queries';
import type { StackView } from '@/lib/model/snapshot';
import { OddsPanel } from '../incident/odds';

/** How the suspicions have moved since the open incident began, up to the second that is shown. */
export function StackOdds({ stack, now }: { stack: Pick<StackView, 'incident' | 'odds'>; now: number }) {
  const { incident } = stack;
  const kept = useQuery({ ...keptRecord(incident?.id ?? '', incident?.closedAt === undefined), enabled: incident !== undefined });
  if (!incident || !kept.data) return null;
  const shown = { at: now, odds: stack.odds ?? {} };
  const before = kept.data.odds.filter((each) => each.at < now);
  return <OddsPanel odds={[...before, shown]} openedAt={incident.openedAt} {...(incident.closedAt === undefined ? {} : { closedAt: incident.closedAt })} />;
}
