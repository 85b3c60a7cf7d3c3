import type { Expectation } from '@/lib/scenarios/scenario';
import type { Chosen } from '../plan';

/** The scenarios as a person chooses among them: what they are and what must be said. */
export function listed(chosen: readonly Chosen[]): string {
  return chosen
    .map(({ scenario }) => `${scenario.id}  ${scenario.title} (${scenario.lasts} s)\n${scenario.truth.map((e) => `    ${sentenceOf(e)}\n`).join('')}`)
    .join('');
}

function sentenceOf({ from, by, verdict, place, target, heal }: Expectation): string {
  const where = verdict === 'ok' ? '' : ` @ ${place}`;
  const whom = target === undefined ? '' : `${target}: `;
  return `${whom}from ${from} s: ${verdict}${where} within ${by} s${heal === undefined ? '' : `, clear after ${heal} s`}`;
}
