import { FRESH } from '@/lib/collector/budget';
import type { Context, Watched } from '@/lib/collector/context';
import { startLoop } from '@/lib/collector/loop';
import { scrapeTurn } from '@/lib/collector/scrape';
import { realClock } from '@/lib/io/clock';
import { pageReader } from '@/lib/io/page';
import { type Config, DEFAULTS } from '@/lib/model/config';
import type { Observation } from '@/lib/model/observation';
import { openSqlite } from '@/lib/stores/sqlite';

/** Our scrape path alone: the collector's own loop and turn for each page, the dialect, and the store, flushed each second. */
export type ScraperStart = { ports: number[]; everyMs: number; dir: string };
export type FromScraper = { scrapes: number; failed: number; samples: number };

const { ports, everyMs, dir } = JSON.parse(process.argv[2] ?? '{}') as ScraperStart;
const clock = realClock();
const store = openSqlite(dir);
const { signal } = new AbortController();
const told: FromScraper = { scrapes: 0, failed: 0, samples: 0 };
const config: Config = {
  stacks: [],
  probe: { ...DEFAULTS.probe },
  scrape: { ...DEFAULTS.scrape, everyMs },
  listen: { ...DEFAULTS.listen },
  data: dir,
  retention: { ...DEFAULTS.retention },
  source: 'the bench',
  timeScale: 1,
};
const context: Context = {
  config,
  ports: { observe, experiment: () => undefined, deadline: () => ({ firstTokenMs: 8_000, gapMs: 8_000, from: 'configured' }) },
  clock,
  // What times chats is no part of a scrape.
  lag: { worstSince: () => 0, stop: () => undefined },
  pages: pageReader(clock),
  signal,
  watched: new Map(),
  quiet: new Map(),
  live: new Set(),
  adopt: () => undefined,
  dismiss: () => undefined,
  announce: () => undefined,
};

for (const [index, port] of ports.entries()) {
  const watched = decode(`bench.decode-${index}`, `http://127.0.0.1:${port}`);
  startLoop(
    {
      name: 'metrics',
      target: watched.target.id,
      everyMs: () => everyMs,
      firstAfterMs: (index / ports.length) * everyMs,
      run: () => scrapeTurn(context, watched),
    },
    clock,
    watched.stop.signal,
  );
}
setInterval(() => store.flush(), 1_000);
// Ended properly, so that a profile asked for is written.
process.once('SIGTERM', () => process.exit(0));
process.on('message', () => process.send?.({ ...told } satisfies FromScraper));
process.send?.({ ...told } satisfies FromScraper);

function observe(o: Observation) {
  if (o.kind !== 'scrape') return;
  told.scrapes += 1;
  told.samples += o.samples.length;
  if (o.outcome !== 'ok') told.failed += 1;
  store.append(o.target, o.at, o.samples);
}

function decode(id: string, url: string): Watched {
  return {
    stack: 'bench',
    config: { id, name: id, url, headers: {}, probe: false },
    target: { id, stack: 'bench', name: id, url, kind: 'sglang', role: 'decode', known: ['config'], probed: false },
    stop: new AbortController(),
    loads: 'unasked',
    isSilent: false,
    budget: FRESH,
    runs: new Map(),
  };
}
