import type { NodeView } from '@/lib/model/snapshot';
import { type Judgement, type Place, placeName } from '@/lib/model/verdict';

/** A moment inside a sentence, for the screen to render in the reader's zone. */
export function moment(at: number): string {
  return `{${new Date(at).toISOString()}}`;
}

/** "router :30001", the way people say it. */
export function called(node: Pick<NodeView, 'name' | 'url'>): string {
  const port = /:(\d+)(?:\/|$)/.exec(node.url.replace(/^\w+:\/\//, ''))?.[1];
  return port ? `${node.name} :${port}` : node.name;
}

const VERBS = {
  hanging: ['hangs', 'hang'],
  down: ['is down', 'are down'],
  misconfigured: ['is misconfigured', 'are misconfigured'],
  degraded: ['is degraded', 'are degraded'],
  unknown: ['is unknown', 'are unknown'],
  ok: ['answers', 'answer'],
} as const;

/** The verdict sentence of a stack from its front-ends' judgements. */
export function stackSentence(judgement: Judgement, fronts: readonly NodeView[], now: number): string {
  const hit = fronts.filter((f) => f.judgement.verdict === judgement.verdict);
  if (fronts.length === 0) return 'No front-end is known: nothing can be probed.';
  if (judgement.verdict === 'ok') return allQuiet(fronts, now);
  if (hit.length === 0) return sentence(judgement.because);
  const [one, many] = VERBS[judgement.verdict];
  const all = hit.length === fronts.length && hit.length > 1;
  const who = `${all ? (hit.length === 2 ? 'Both front-ends' : `All ${hit.length} front-ends`) : hit.map(called).join(' and ')} ${hit.length > 1 ? many : one}`;
  const detail = judgement.detail && judgement.verdict !== 'hanging' ? ` (${judgement.detail})` : judgement.phase ? ` (${judgement.phase})` : '';
  return [`${who}${detail} since ${moment(judgement.since)}.`, healthWords(hit), stopWords(judgement), rateWords(hit)].filter(Boolean).join(' ');
}

function allQuiet(fronts: readonly NodeView[], now: number): string {
  const good = Math.max(0, ...fronts.flatMap((f) => f.strip.find((d) => d.outcome === 'ok')?.at ?? []));
  const proof = good > 0 ? ` Last good answer ${Math.max(0, Math.round((now - good) / 1000))} s ago.` : '';
  return `${fronts.length === 1 && fronts[0] ? `${called(fronts[0])} answers` : fronts.length === 2 ? 'Both front-ends answer' : `All ${fronts.length} front-ends answer`}.${proof}`;
}

function healthWords(hit: readonly NodeView[]): string {
  const up = hit.filter((f) => f.health?.says === 'up');
  if (up.length === 0) return '';
  return up.length === hit.length
    ? `/health says ${up[0]?.health?.status ?? 200}${hit.length > 1 ? ' on each' : ''}.`
    : `/health of ${up.map((f) => f.name).join(', ')} says 200.`;
}

function stopWords(judgement: Judgement): string {
  const place = judgement.place;
  if (!place || place.kind === 'none') return judgement.verdict === 'hanging' ? 'Where requests stop is not known yet.' : '';
  if (judgement.verdict === 'hanging') return `Requests stop at ${placeWords(place)}${place.inferred ? ' (inferred)' : ''}.`;
  if (judgement.verdict === 'misconfigured') return sentence(judgement.because);
  return `${placeWords(place)}: ${sentence(judgement.because)}`;
}

export function placeWords(place: Place): string {
  return place.kind === 'front-end'
    ? `the front-end ${place.name ?? ''}`.trimEnd()
    : place.kind === 'router path'
      ? `the router path of ${place.name ?? 'the front-end'}`
      : placeName(place);
}

function rateWords(hit: readonly NodeView[]): string {
  const rates = hit.flatMap((f) => f.judgement.rate ?? []);
  const failed = rates.reduce((a, r) => a + r.failed, 0);
  const of = rates.reduce((a, r) => a + r.of, 0);
  return of === 0 ? '' : `${failed} of ${of} probes.`;
}

export function sentence(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' ? '' : trimmed[0]?.toUpperCase() + trimmed.slice(1) + (/[.!?]$/.test(trimmed) ? '' : '.');
}
