import { dialectOf, FINGERPRINT_PATHS, recogniseTarget } from '@/lib/dialects/recognise';
import type { Answer, Answers } from '@/lib/model/dialect';
import { isFrontEnd, type Provenance, type Target } from '@/lib/model/target';
import { parsed } from './ask';
import { type Context, USER_AGENT, type Watched } from './context';
import { askControl, type ControlAnswer } from './control';
import { tellModels } from './facts';
import { LOADS_PATH } from './scrape';
import { caFor, headersFor } from './secrets';

const TIMEOUT_MS = 3_000;
const BYTE_CAP = 1024 * 1024;
/** A silent or unknown target is asked again after this; a known one much later, since it may have become another. */
const AGAIN_MS = 10_000;
const REREAD_MS = 300_000;
const SURE = 0.9;
const UNSURE_TURNS = 3;

/** Ask a target what it is, when it is time to; tells its models and the topology when something is learnt. */
export async function discoverTurn(context: Context, watched: Watched): Promise<void> {
  const now = context.clock.monotonic();
  if (watched.recognisedAt !== undefined && now - watched.recognisedAt < REREAD_MS) return;
  const answers = await fingerprint(context, watched);
  if (context.signal.aborted) return;
  if (Object.values(answers).every((answer) => answer?.status === undefined)) {
    watched.isSilent = true;
    watched.why = recogniseTarget(answers).why;
    tellUnreached(context, watched, answers['/metrics']);
    return;
  }
  watched.isSilent = false;
  // questions that went unanswered are not answers in the negative: what they would have told apart is asked again first
  const gaps = Object.values(answers).some((answer) => answer?.status === undefined);
  if (gaps && watched.recognisedAt === undefined && recogniseTarget(answers).certainty < SURE && (watched.unsure ?? 0) < UNSURE_TURNS) {
    watched.unsure = (watched.unsure ?? 0) + 1;
    return;
  }
  watched.unsure = 0;
  await take(context, watched, answers);
}

/** An engine that a list names and that never answered has no loops of its own: that nobody listens there is known all the same. */
function tellUnreached(context: Context, watched: Watched, page: Answer | undefined): void {
  if (watched.target.kind !== 'unknown' || page === undefined || isFrontEnd(watched.target)) return;
  const [how = ''] = (page.failure ?? '').split(' ');
  const outcome = how === 'refused' ? 'refused' : how.endsWith('timeout') ? 'timeout' : 'failed';
  const detail = page.failure === undefined ? {} : { detail: page.failure.slice(0, 200) };
  context.ports.observe({
    kind: 'scrape',
    at: context.clock.now(),
    target: watched.target.id,
    source: 'metrics',
    outcome,
    tookMs: page.tookMs,
    samples: [],
    ...detail,
  });
}

export const discoverEveryMs = AGAIN_MS;

async function fingerprint(context: Context, watched: Watched): Promise<Answers> {
  const ask = async (path: string): Promise<[string, Answer]> => {
    const page = await context.pages.read(watched.target.url + path, {
      timeoutMs: TIMEOUT_MS,
      byteCap: BYTE_CAP,
      headers: { ...headersFor(watched.config), 'user-agent': USER_AGENT },
      ...caFor(watched.config),
    });
    return [
      path,
      {
        path,
        tookMs: page.tookMs,
        headers: page.headers,
        ...(page.status === undefined ? { failure: `${page.outcome} ${page.detail ?? ''}`.trim() } : { status: page.status, body: page.body }),
        ...(page.contentType === undefined ? {} : { contentType: page.contentType }),
      },
    ];
  };
  return Object.fromEntries(await Promise.all(FINGERPRINT_PATHS.map(ask)));
}

async function take(context: Context, watched: Watched, first: Answers): Promise<void> {
  const isFirst = watched.recognisedAt === undefined;
  let answers = first;
  let seen = recogniseTarget(answers);
  adopt(watched, seen);
  if (seen.kind !== 'unknown') watched.recognisedAt = context.clock.monotonic();
  const dialect = dialectOf(watched.target.kind);
  if (dialect !== undefined) {
    const list = answers['/v1/models'];
    const isList = list?.status !== undefined && list.status >= 200 && list.status < 300;
    if (isFirst) tellModels(context, watched, isList ? dialect.models(parsed(list.body ?? '')) : `${list?.status ?? list?.failure ?? 'no answer'}`);
  }
  tellClaims(context, watched, answers);
  context.announce(watched.stack);
  if (dialect?.loads !== undefined && watched.loads === 'unasked') {
    const takeLoads = (answer: ControlAnswer) => {
      if (answer.body !== undefined) watched.loads = dialect.loads?.(parsed(answer.body)) === undefined ? 'asking' : 'polled';
    };
    const loads = await askControl(context, watched, LOADS_PATH, takeLoads);
    if (loads !== undefined) {
      takeLoads(loads);
      answers = { ...answers, '/v1/loads': { path: '/v1/loads', ...loads } };
      seen = recogniseTarget(answers);
      adopt(watched, seen);
      if (loads.status === 404) watched.loads = 'asking';
    }
    if (watched.target.kind === 'sglang' && watched.target.role === 'unknown') {
      const info = await askControl(context, watched, '/server_info');
      if (info !== undefined) adopt(watched, recogniseTarget({ ...answers, '/server_info': { path: '/server_info', ...info } }));
    }
    context.announce(watched.stack);
  }
}

/** Health URLs that discovery has asked anyway: what they said goes into the truth table. */
function tellClaims(context: Context, watched: Watched, answers: Answers): void {
  const claims = (dialectOf(watched.target.kind)?.otherHealth ?? []).flatMap(({ path, notAsked }) => {
    const answer = notAsked === undefined ? answers[path] : undefined;
    return answer === undefined ? [] : [{ path, tookMs: answer.tookMs, ...(answer.status === undefined ? {} : { status: answer.status }) }];
  });
  if (claims.length > 0) context.ports.observe({ kind: 'claims', at: context.clock.now(), target: watched.target.id, claims });
}

/** What the configuration fixes stays; the rest is as seen now, so that a target that became another is read anew. */
function adopt(watched: Watched, seen: ReturnType<typeof recogniseTarget>): void {
  const { config, target } = watched;
  watched.why = seen.why;
  // no claim at all: what was known before stays, so that an overloaded target does not lose its name
  if (seen.kind === 'unknown') return;
  const hasChanged = target.kind !== seen.kind && config.kind === undefined;
  if (hasChanged) watched.loads = 'unasked';
  const known: Provenance[] = [...new Set<Provenance>([...target.known, 'fingerprint'])];
  // vLLM always calls itself whole: what a front-end's list or a command line told of its half stays
  const isTold = seen.role === 'unknown' || (seen.kind === 'vllm' && target.role !== 'unknown');
  const role = config.role ?? (!isTold ? seen.role : hasChanged ? seen.role : target.role);
  const next: Target = { ...target, kind: config.kind ?? seen.kind, role, known };
  watched.target = seen.version === undefined ? next : { ...next, version: seen.version };
}
