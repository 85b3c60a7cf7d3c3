import { takesChats } from '@/lib/model/target';
import { type Runtime, runtime } from '@/lib/runtime';
import { answer, declined, handled, quoted, refusal, written } from '../answer';
import { jsonBody, sameOrigin } from '../guard';
import { watchedNode } from '../known';
import { queryOf } from '../query';

export const dynamic = 'force-dynamic';

const KEYS = ['stack', 'targets', 'models', 'tries', 'whole', 'long'];
const MOST_MODELS = 8;
const LONGEST_MODEL = 200;
const MOST_TRIES = 5;
/** The collector makes a new record durable within a second. */
const RECORD_LOOKS = 12;
const LOOK_MS = 150;

/** Experiments, newest first. */
export const GET = handled((request) => {
  const query = queryOf(request, ['incident', 'limit']);
  const incident = query.text('incident');
  const limit = query.whole('limit', { least: 1, most: 200, otherwise: 20 });
  return answer({
    experiments:
      runtime()
        .history()
        ?.experiments({ limit, ...(incident === undefined ? {} : { incident }) }) ?? [],
  });
});

/** Start one: front-ends x model ids, within the probe budget. */
export const POST = handled(async (request) => {
  sameOrigin(request, runtime().config());
  queryOf(request, []);
  const body = await jsonBody(request);
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw refusal(400, `${quoted(unknown)} is no key of this body; it takes ${KEYS.join(', ')}.`);
  const { stack, targets } = asked(runtime(), body.stack, body.targets);
  const models = texts('models', body.models, MOST_MODELS, LONGEST_MODEL);
  const tries = triesOf(body.tries);
  const [whole, long] = [yesOrNo('whole', body.whole), yesOrNo('long', body.long)];
  const told = await runtime().command({
    kind: 'experiment',
    stack,
    targets,
    ...(models === undefined ? {} : { models }),
    ...(tries === undefined ? {} : { tries }),
    ...(whole === undefined ? {} : { whole }),
    ...(long === undefined ? {} : { long }),
  });
  if (!told.ok) throw declined(told.error);
  const id = told.id ?? '';
  await recorded(id);
  return answer({ id }, { status: 202, headers: { location: `/api/experiments/${encodeURIComponent(id)}` } });
});

/** The stack and its front-ends that take chats; those asked for, or all. */
function asked(watching: Runtime, stack: unknown, given: unknown): { stack: string; targets: string[] } {
  if (typeof stack !== 'string') throw refusal(400, `stack: ${written(stack)} is no text; name the stack, as in /api/snapshot.`);
  const view = watching.snapshot()?.stacks.find((each) => each.id === stack);
  if (view === undefined) throw refusal(404, `No stack has the id ${quoted(stack)}; /api/snapshot lists those that are watched.`);
  const targets = texts('targets', given, 200, 300) ?? view.nodes.filter(takesChats).map((node) => node.id);
  for (const id of targets) {
    const { node, stack: home } = watchedNode(watching, id);
    if (home.id !== stack) throw refusal(400, `targets: ${quoted(id)} belongs to stack ${quoted(home.id)}; ask each stack for itself.`);
    if (!takesChats(node)) throw refusal(400, `targets: ${quoted(id)} takes no chats, being ${node.role}; name front-ends.`);
  }
  if (targets.length === 0) throw refusal(400, `targets: [] names none, and stack ${quoted(stack)} has no front-end of its own; name one that takes chats.`);
  return { stack, targets };
}

function texts(name: string, value: unknown, most: number, longest: number): string[] | undefined {
  if (value === undefined) return undefined;
  const isRight = Array.isArray(value) && value.length <= most && value.every((each) => typeof each === 'string' && each.length > 0 && each.length <= longest);
  if (!isRight) throw refusal(400, `${name}: ${written(value)} is no list of at most ${most} texts of up to ${longest} characters; write one.`);
  return value as string[];
}

function triesOf(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const isRight = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST_TRIES;
  if (!isRight) throw refusal(400, `tries: ${written(value)} is no whole number from 1 to ${MOST_TRIES}; write one.`);
  return value;
}

function yesOrNo(name: string, value: unknown): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value;
  throw refusal(400, `${name}: ${written(value)} is neither true nor false; write one.`);
}

/** Until its record can be read, so that who follows the answer's id finds it. */
async function recorded(id: string): Promise<void> {
  for (let look = 0; look < RECORD_LOOKS && runtime().history()?.experiment(id) === undefined; look++) await new Promise((then) => setTimeout(then, LOOK_MS));
}
