import { SERIES, type SeriesName } from '@/lib/model/sample';
import { runtime } from '@/lib/runtime';
import type { SeriesRange } from '@/lib/stores/store';
import { answer, handled, quoted, refusal } from '../answer';
import { knownTarget } from '../known';
import { spanText } from '../moment';
import { toldNow } from '../now';
import { queryOf } from '../query';
import { ratesOf } from './rate';
import { MOST_BUCKETS, roundStep, wholeSummaries } from './step';

export const dynamic = 'force-dynamic';

const DEFAULT_RANGE_MS = 15 * 60_000;
const LONGEST_RANGE_MS = 31 * 86_400_000;
const MOST_CELLS = 150_000;

/** Readings over time in buckets that keep their spikes. */
export const GET = handled((request) => {
  const query = queryOf(request, ['target', 'name', 'from', 'to', 'range', 'step', 'rate']);
  const targets = query.texts('target');
  const names = query.texts('name')?.map(seriesName);
  for (const target of targets ?? []) knownTarget(runtime(), target);
  const { from, to, stepMs } = window(query, toldNow(runtime()));
  const history = runtime().history();
  const wanted = (history?.keys() ?? []).filter((each) => (targets?.includes(each.target) ?? true) && (names?.some((name) => name === each.name) ?? true));
  const cells = wanted.length * ((to - from) / stepMs);
  if (cells > MOST_CELLS)
    throw refusal(400, `target, name: ${wanted.length} series in steps of ${spanText(stepMs)} are too much at once; name fewer, or a longer step.`);
  const isRate = query.choice('rate', ['0', '1']) === '1';
  // A rate needs the reading before its first bucket.
  const start = isRate ? from - stepMs : from;
  const series = history?.range({ ...(targets === undefined ? {} : { targets }), ...(names === undefined ? {} : { names }), from: start, to, stepMs }) ?? [];
  return answer({ from, to, stepMs, series: isRate ? series.map((each) => rated(each, from)) : series });
});

/** Whole buckets: `from` is moved back and `to` forth to multiples of the step. */
function window(query: ReturnType<typeof queryOf>, now: number) {
  const given = query.range(now);
  const range = query.span('range', { least: 1_000, most: LONGEST_RANGE_MS });
  if (range !== undefined && given.from !== undefined) throw refusal(400, 'range: given together with from; give one of the two.');
  const to = given.to ?? now;
  const from = given.from ?? to - (range ?? DEFAULT_RANGE_MS);
  if (from >= to) throw refusal(400, 'from: it is not before to, which is now when not given; give an earlier one.');
  if (to - from > LONGEST_RANGE_MS) throw refusal(400, `from: it is more than ${spanText(LONGEST_RANGE_MS)} before to; ask for less at once.`);
  const stepMs = wholeSummaries(query.span('step', { least: 1_000, most: 86_400_000 }) ?? roundStep(to - from));
  const least = Math.ceil((to - from) / MOST_BUCKETS / 1_000) * 1_000;
  if (stepMs < least) throw refusal(400, `step: ${spanText(stepMs)} would make more than ${MOST_BUCKETS} buckets; write ${spanText(least)} or more.`);
  return { from: Math.floor(from / stepMs) * stepMs, to: Math.ceil(to / stepMs) * stepMs, stepMs };
}

function seriesName(name: string): SeriesName {
  const known = Object.keys(SERIES).find((each): each is SeriesName => each === name);
  if (known === undefined)
    throw refusal(400, `name: ${quoted(name)} is no series; names are SGLang's without prefix, such as num_queue_reqs (all are in /api/openapi.json).`);
  return known;
}

function rated(series: SeriesRange, from: number): SeriesRange {
  const isCounter = SERIES[series.name as SeriesName] === 'counter';
  const buckets = isCounter ? ratesOf(series.buckets) : series.buckets;
  return { ...series, buckets: buckets.filter((each) => each.at >= from) };
}
