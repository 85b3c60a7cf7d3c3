import type { Experiment } from '@/lib/model/experiment';
import type { Event, Incident } from '@/lib/model/incident';
import type { Kept } from '@/lib/model/kept';
import type { StackView } from '@/lib/model/snapshot';

/** All that leaves the house of one incident. Moments in wall-clock ms. */
export type Bundle = {
  exportedAt: number;
  build: string;
  /** Where its page is, for those who can reach it. */
  page?: string;
  isMasked: boolean;
  incident: Incident;
  /** Newest first. */
  events: Event[];
  related: Incident[];
  experiments: Experiment[];
  kept?: Kept;
  /** The stack as it is now, while the incident is open. */
  now?: StackView;
};

/** The picture to show: the present one while it is open, else that of the first bad verdict. */
export function pictureOf({ now, kept }: Bundle): StackView | undefined {
  return now ?? kept?.first;
}

/** A moment in UTC, "14:03:22"; with its day where `withDate`. */
export function utc(at: number, withDate = false): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return 'n/a';
  const [day = '', time = ''] = date.toISOString().split('T');
  return `${withDate ? `${day} ` : ''}${time.slice(0, 8)}`;
}

/** A sentence of the detector with its moments `{ISO}` written as UTC times. */
export function withTimes(sentence: string): string {
  return sentence.replace(/\{(\d{4}-\d\d-\d\dT[\d:.]+Z)\}/g, (_, iso: string) => utc(Date.parse(iso)));
}
