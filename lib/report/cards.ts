import type { PlaceKind, Verdict } from '@/lib/model/verdict';

/** How soon somebody must act; three are enough (ISA-18.2). */
export type Priority = 'high' | 'medium' | 'low';

/** What an alarm of one kind means and asks for. An alarm that asks for nothing would be an event. */
export type Card = { title: string; means: string; consequence: string; response: string[]; deadline: string; priority: Priority; clears: string };

/** The card of an alarm: that of its verdict and place, else that of its verdict. */
export function cardOf(verdict: Verdict, place: PlaceKind | undefined): Card {
  const whole = OF_VERDICT[verdict];
  return { ...whole, ...(place === undefined ? {} : OF_PLACE[verdict]?.[place]) };
}

/** All cards, for the page that lists them. */
export function allCards(): { verdict: Verdict; place?: PlaceKind; card: Card }[] {
  return (Object.keys(OF_VERDICT) as Verdict[]).flatMap((verdict) => [
    { verdict, card: cardOf(verdict, undefined) },
    ...(Object.keys(OF_PLACE[verdict] ?? {}) as PlaceKind[]).map((place) => ({ verdict, place, card: cardOf(verdict, place) })),
  ]);
}

const PROOF = 'By itself: one good chat while counters move, or two good chats. A relapse within 60 s opens the same incident again.';
const TAKE = 'Take what a restart erases: it is kept here already (counters, raw probes); add the stacks of the processes while they stand.';

const OF_VERDICT: Record<Verdict, Card> = {
  hanging: {
    title: 'Accepted, never answered',
    means: 'A front-end takes chats and gives no token. Its health endpoint may say 200 all the while.',
    consequence: 'Users wait until their own time-out. Load balancers that trust health keep sending to it, and each retry adds to what waits.',
    response: [
      'Take the front-end out of rotation, or send users to a sibling that answers.',
      'Run the experiment: it tells a name, one front-end and the whole stack apart.',
      TAKE,
    ],
    deadline: 'within 5 minutes',
    priority: 'high',
    clears: PROOF,
  },
  down: {
    title: 'Refused, reset or gone',
    means: 'Chats fail quickly: the connection is refused, reset or answered with an error.',
    consequence: 'Users see errors at once. Clients with retries move to a sibling, where there is one.',
    response: ['Look whether the process lives and listens, and at its last lines of log.', 'Start it again; the error text is on the probe.'],
    deadline: 'within 5 minutes',
    priority: 'high',
    clears: PROOF,
  },
  misconfigured: {
    title: 'Refused by a setting',
    means: 'The answer says that the question was wrong: a key, a model id, an address.',
    consequence: 'Whoever asks in the same way is refused too. The stack itself may be well.',
    response: [
      'Compare the id and the key of the probe with what the front-end advertises.',
      'Mend the configuration of the side that is wrong; both are named on the node page.',
    ],
    deadline: 'within an hour',
    priority: 'medium',
    clears: 'By itself, with the first chats that are answered.',
  },
  degraded: {
    title: 'Answers with pain',
    means: 'Chats end, but late, in drops, or some of them are shed.',
    consequence: 'Users wait longer than usual; a queue that grows may become a hang.',
    response: ['Look whether the queues move: one that moves is load, one that stands is not.', 'Take load away, or add workers.'],
    deadline: 'within an hour',
    priority: 'low',
    clears: 'By itself, when chats are answered in their usual time.',
  },
  unknown: {
    title: 'We were not looking',
    means: 'Wedgewatch itself could not see: its own network, its own loops.',
    consequence: 'Nothing can be said of the stack, good or bad.',
    response: ['Look at the machine that Wedgewatch runs on: network, load, suspend.'],
    deadline: 'within an hour',
    priority: 'medium',
    clears: 'By itself, when our loops turn and the network answers.',
  },
  ok: {
    title: 'All is well',
    means: 'Chats are answered in their usual time.',
    consequence: 'None.',
    response: [],
    deadline: 'none',
    priority: 'low',
    clears: 'It has.',
  },
};

const OF_PLACE: Partial<Record<Verdict, Partial<Record<PlaceKind, Partial<Card>>>>> = {
  hanging: {
    'front-end': {
      means: 'One front-end takes chats and passes nothing on; what stands behind it works for others.',
      response: ['Send users to a sibling.', 'Take its stack and its open connections, then restart this front-end only.', TAKE],
    },
    'router path': {
      means: 'Chats reach the front-end and no engine: its way to the workers is broken, or it holds workers that are gone.',
      response: [
        'Compare the worker list of the front-end with the engines that live.',
        'Remove dead workers from it, or restart the front-end; the engines can stay.',
        TAKE,
      ],
    },
    prefill: {
      means: 'Chats are taken by prefill and never computed: its scheduler stands, or waits for a peer.',
      response: [
        'Take stacks of the prefill scheduler processes: py-spy dump --pid PID, each rank.',
        'Take prefill out of rotation; restart it together with a decode that waits for it.',
        TAKE,
      ],
    },
    'kv-transfer': {
      means: 'The prompt is computed and its KV cache never arrives at decode.',
      consequence: 'Each such chat holds a slot on both sides; the pool runs empty and then everything hangs.',
      response: [
        'Look at the transfer failures and at the network between the two hosts.',
        'Restart the side whose peer is stale; a restart of one side alone may leave the other waiting.',
        TAKE,
      ],
    },
    decode: {
      means: 'Decode has accepted chats and admits none: its scheduler stands, often all ranks in one collective operation.',
      consequence: 'Every front-end over this decode hangs, whatever model id is asked for.',
      response: [
        'Take stacks of all decode scheduler ranks: all in one collective means that none will leave it.',
        'Restart decode, and prefill with it where it holds transfers to the old one.',
        TAKE,
      ],
    },
    engine: {
      means: 'The engine takes chats and gives no token; counters do not tell where inside it.',
      response: ['Look at the scheduler or core process: does it live, does it use CPU?', 'Take its stack, then restart the engine.', TAKE],
    },
    'response path': {
      means: 'Tokens are made and do not reach the client: detokenizer, HTTP process or a proxy on the way back.',
      response: [
        'Ask the engine itself, past the front-end: if it answers, the way back of the front-end is broken.',
        'Take the stack of the HTTP and detokenizer processes before a restart.',
        TAKE,
      ],
    },
  },
  down: {
    'front-end': { means: 'One front-end does not take connections, or ends them with an error.' },
    decode: {
      means: 'A decode engine is gone; chats that need it fail.',
      response: [
        'Start decode again; prefill may have to be restarted with it.',
        'A circuit breaker of the front-end may refuse for a minute after it is back.',
      ],
    },
    prefill: {
      means: 'A prefill engine is gone; chats that need it fail.',
      response: ['Start prefill again.', 'A circuit breaker of the front-end may refuse for a minute after it is back.'],
    },
    engine: { means: 'An engine is gone; chats that need it fail.', response: ['Start it again; its last lines of log say why it went.'] },
  },
};
