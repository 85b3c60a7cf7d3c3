import { dialectOf } from '@/lib/dialects/recognise';
import type { Dialect } from '@/lib/model/dialect';
import { probes } from '@/lib/probes';
import { parsed, put } from './ask';
import { type Context, noteReach, type Watched } from './context';
import { askControl, type ControlAnswer } from './control';
import { workersTold } from './members';

const DEADLINE_MS = 4_000;
/** A balancer's list costs a turn of every scheduler behind it. */
const RARELY_MS = 600_000;

/** The model ids that this target advertises, last known ids kept through errors; and its workers, as often as that is harmless. */
export function factsTurn(context: Context, watched: Watched): () => Promise<void> {
  let workersAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const dialect = dialectOf(watched.target.kind);
    if (dialect === undefined) return;
    await askModels(context, watched, dialect);
    if (dialect.workersPath === undefined || dialect.workers === undefined || context.signal.aborted) return;
    const now = context.clock.monotonic();
    if (dialect.workersPath.control && now - workersAt < RARELY_MS) return;
    if (watched.control !== undefined) return;
    workersAt = now;
    await askWorkers(context, watched, dialect);
  };
}

async function askModels(context: Context, watched: Watched, dialect: Dialect): Promise<void> {
  const asked = put(context, watched, {
    probe: probes.models,
    url: `${watched.target.url}/v1/models`,
    deadlineMs: DEADLINE_MS,
    capMs: DEADLINE_MS,
    byteCap: 1024 * 1024,
  });
  await asked.live.ended;
  if (context.signal.aborted) return;
  const { outcome, sentence } = asked.judge();
  noteReach(watched, outcome === 'refused');
  const body = outcome === 'ok' ? parsed(asked.body()) : undefined;
  tellModels(context, watched, outcome !== 'ok' ? sentence : body === undefined ? 'the model list is no JSON' : dialect.models(body));
}

/** Take a fresh list, or the reason why there is none. */
export function tellModels(context: Context, watched: Watched, told: readonly string[] | string): void {
  const at = context.clock.now();
  const known = watched.models?.ids ?? [];
  const error = typeof told === 'string' ? told : told.length === 0 ? 'the model list is empty' : undefined;
  watched.models = typeof told === 'string' || told.length === 0 ? { ids: known, at, ...(error === undefined ? {} : { error }) } : { ids: [...told], at };
  context.ports.observe({ kind: 'models', at, target: watched.target.id, models: watched.models });
}

async function askWorkers(context: Context, watched: Watched, dialect: Dialect): Promise<void> {
  const path = dialect.workersPath;
  if (path === undefined) return;
  if (path.control) {
    const take = (answer: ControlAnswer) => tellWorkers(context, watched, dialect, answer.body, answer.failure);
    const answer = await askControl(context, watched, path.path, take);
    if (answer !== undefined) take(answer);
    return;
  }
  const asked = put(context, watched, {
    probe: probes.models,
    url: watched.target.url + path.path,
    deadlineMs: DEADLINE_MS,
    capMs: DEADLINE_MS,
    byteCap: 1024 * 1024,
  });
  await asked.live.ended;
  const { outcome, sentence } = asked.judge();
  tellWorkers(context, watched, dialect, outcome === 'ok' ? asked.body() : undefined, outcome === 'ok' ? undefined : sentence);
}

function tellWorkers(context: Context, watched: Watched, dialect: Dialect, body: string | undefined, failure: string | undefined): void {
  if (context.signal.aborted) return;
  const list = body === undefined ? undefined : parsed(body);
  if (list !== undefined) watched.listed = workersTold(context, watched, dialect.workers?.(list) ?? []);
  const error = failure ?? (list === undefined ? 'the worker list is no JSON' : undefined);
  context.ports.observe({
    kind: 'workers',
    at: context.clock.now(),
    target: watched.target.id,
    workers: watched.listed ?? [],
    ...(error === undefined ? {} : { error }),
  });
}
