import { dialectOf } from '@/lib/dialects/recognise';
import type { Page } from '@/lib/io/page';
import type { ScrapeOutcome } from '@/lib/model/observation';
import type { SampleSource } from '@/lib/model/sample';
import { isFrontEnd } from '@/lib/model/target';
import { parsed } from './ask';
import { type Context, noteReach, USER_AGENT, type Watched } from './context';
import { few } from './few';
import { caFor, headersFor } from './secrets';

/** The largest real page is 0.8 MB (SGLang's sources). */
const BYTE_CAP = 4 * 1024 * 1024;
export const LOADS_PATH = '/v1/loads?include=core,disagg,queues';

export function metricsUrls(watched: Watched): string[] {
  return dialectOf(watched.target.kind)?.metricsUrls(watched.target) ?? [];
}

/** Read the metrics page: the address that worked last, else each in turn. */
export async function scrapeTurn(context: Context, watched: Watched): Promise<void> {
  const dialect = dialectOf(watched.target.kind);
  if (dialect === undefined) return;
  const source: SampleSource = isFrontEnd(watched.target) ? 'router' : 'metrics';
  const all = metricsUrls(watched);
  const urls = watched.metricsUrl !== undefined && all.includes(watched.metricsUrl) ? [watched.metricsUrl] : all;
  let best: { page: Page; outcome: ScrapeOutcome; detail?: string } | undefined;
  for (const url of urls) {
    const page = await readOf(context, watched, url);
    const read = { page, ...readAs(page) };
    if (read.outcome === 'ok') watched.metricsUrl = url;
    // an address that is there and has no page says more than one where nobody listens
    if (best === undefined || read.outcome === 'ok' || read.outcome === 'not-exported') best = read;
    if (read.outcome === 'ok') break;
  }
  if (best === undefined || context.signal.aborted) return;
  if (best.outcome === 'not-exported') watched.metricsUrl = undefined;
  if (source === 'metrics') noteReach(watched, best.outcome === 'refused');
  watched.series ??= new Map();
  const { samples, leftOut } = few(watched.series, best.outcome === 'ok' ? dialect.metrics(best.page.body) : [], context.clock.monotonic());
  const detail = leftOut > 0 ? `${leftOut} series left out: this target has told too many different ones within an hour` : best.detail;
  context.ports.observe({
    kind: 'scrape',
    at: context.clock.now(),
    target: watched.target.id,
    source,
    outcome: best.outcome,
    tookMs: best.page.tookMs,
    samples,
    ...(detail === undefined ? {} : { detail }),
  });
}

/** Read `/v1/loads` where it was seen to be answered by the HTTP process itself. */
export async function loadsTurn(context: Context, watched: Watched): Promise<void> {
  const dialect = dialectOf(watched.target.kind);
  if (dialect?.loads === undefined) return;
  const page = await readOf(context, watched, watched.target.url + LOADS_PATH);
  if (context.signal.aborted) return;
  const body = page.outcome === 'ok' ? parsed(page.body) : undefined;
  const samples = body === undefined ? undefined : dialect.loads(body);
  if (body !== undefined && samples === undefined) watched.loads = 'asking';
  const read = page.outcome === 'ok' && samples === undefined ? { outcome: 'not-exported' as const, detail: 'entries without timestamps' } : readOutcome(page);
  context.ports.observe({
    kind: 'scrape',
    at: context.clock.now(),
    target: watched.target.id,
    source: 'loads',
    outcome: read.outcome,
    tookMs: page.tookMs,
    samples: samples ?? [],
    ...(read.detail === undefined ? {} : { detail: read.detail }),
  });
}

function readOf(context: Context, watched: Watched, url: string): Promise<Page> {
  const { metricsUrl } = watched.target;
  return context.pages.read(url, {
    timeoutMs: watched.config.timeoutMs ?? context.config.scrape.timeoutMs,
    byteCap: BYTE_CAP,
    headers: { ...headersFor(watched.config), 'user-agent': USER_AGENT },
    ...caFor(watched.config),
    // a configured page may have any name
    ...(url === metricsUrl ? { allow: () => true } : {}),
  });
}

/** A metrics page must look like one: HTML, JSON and binary pages answer 200 as well. */
function readAs(page: Page): { outcome: ScrapeOutcome; detail?: string } {
  const read = readOutcome(page);
  if (read.outcome !== 'ok' || page.body.trim() === '') return read;
  if (/^# (HELP|TYPE) |^[a-zA-Z_:][\w:]*(\{[^\n]*\})? +[-+\d.NI]/m.test(page.body.slice(0, 65_536))) return read;
  return { outcome: 'not-metrics', detail: `${page.contentType ?? 'no content type'}, ${page.bytes} bytes, no sample in it` };
}

function readOutcome(page: Page): { outcome: ScrapeOutcome; detail?: string } {
  const detail = [page.status === undefined ? '' : String(page.status), page.detail ?? ''].filter(Boolean).join(' ');
  const of = (outcome: ScrapeOutcome) => ({ outcome, ...(detail === '' ? {} : { detail }) });
  if (page.outcome === 'ok') return { outcome: 'ok' };
  if (page.outcome === 'redirected') return { outcome: 'failed', detail: `${page.status}: sends us to ${page.headers.location ?? 'nowhere'}; not followed` };
  if (page.outcome === 'status') return of(page.status === 404 ? 'not-exported' : page.status === 401 || page.status === 403 ? 'unauthorized' : 'failed');
  if (page.outcome === 'timeout' || page.outcome === 'connect-timeout') return of('timeout');
  if (page.outcome === 'refused' || page.outcome === 'too-big') return of(page.outcome);
  return of(page.outcome === 'garbled' ? 'not-metrics' : 'failed');
}
