/** What kind of value a parameter takes. `engine` selects one engine (`decode-0`) or all of a role (`decode`); `part` is an engine or a front-end. */
export type ParamKind =
  | 'seconds'
  | 'count'
  | 'share'
  | 'factor'
  | 'status'
  | 'rank'
  | 'engine'
  | 'frontEnd'
  | 'part'
  | 'path'
  | 'names'
  | 'text'
  | 'gauges'
  | 'switch'
  | readonly string[];

/** One parameter of an action; `or` is its value when left out, otherwise it must be given unless `optional`. */
export type Param = { kind: ParamKind; or?: string | number | boolean; optional?: true };

/** An action as told by `--list`: its parameters in positional order and one sentence. */
export type ActionSpec = { params: Readonly<Record<string, Param>>; about: string };

const engine: Param = { kind: 'engine' };
const frontEnd: Param = { kind: 'frontEnd' };
const rank: Param = { kind: 'rank', optional: true };
const part: Param = { kind: 'part' };
const seconds: Param = { kind: 'seconds' };

/** Every action a timeline may hold, in the order of the list that a person reads. */
export const ACTIONS = {
  load: {
    params: { level: { kind: ['none', 'light', 'busy', 'saturated'] } },
    about: 'Sets the users’ traffic: light 0.2/s, busy 2/s, saturated above capacity.',
  },
  burst: { params: { n: { kind: 'count' }, every: { kind: 'seconds', optional: true } }, about: 'Sends n chats at once, and again each `every` seconds.' },
  abort_storm: {
    params: { n: { kind: 'count' }, seconds: { kind: 'seconds', or: 1 } },
    about: 'Starts n chats and closes each of them unfinished, spread over some seconds.',
  },
  abort_one: { params: { during: { kind: ['hand-over', 'stream'], or: 'hand-over' } }, about: 'One user leaves during the hand-over or in mid-stream.' },
  user_mix: {
    params: { long: { kind: 'share', or: 0 }, tokens: { kind: 'count', optional: true }, abort: { kind: 'share', or: 0 } },
    about: 'Share of users with long prompts of so many tokens, and share of users who leave early.',
  },
  'sched.freeze': { params: { role: engine, rank }, about: 'The scheduler loop stands still; its HTTP process answers on.' },
  'sched.thaw': { params: { role: engine, rank }, about: 'The scheduler loop turns again (after freeze, loop, no_admit or compile).' },
  'sched.gauges': {
    params: { role: { kind: 'engine', or: 'decode' }, values: { kind: 'gauges', or: 'keep' } },
    about: 'Writes the gauges that /metrics shows (`all 0`, or name: value), until the scheduler next writes them; keep leaves them.',
  },
  'sched.no_admit': { params: { role: engine, rank }, about: 'The loop turns but admits no request to work.' },
  'sched.loop': { params: { role: engine, rank }, about: 'The scheduler works for ever on what it has and never finishes anything.' },
  compile: { params: { role: engine, seconds }, about: 'The next real forward pass blocks the loop for so long; several are taken one after the other.' },
  'detok.freeze': { params: { role: engine }, about: 'The detokenizer stands still: tokens are made but never leave the engine.' },
  'detok.thaw': { params: { role: engine }, about: 'The detokenizer works again.' },
  'queue.hold': {
    params: {
      role: engine,
      queue: { kind: ['bootstrap', 'inflight', 'prealloc', 'transfer', 'waiting', 'running'] },
      per: { kind: ['abort', 'request', 'fixed'], or: 'fixed' },
      n: { kind: 'count', or: 1 },
    },
    about: 'Slots of a queue are lost: n at once, or n more with each abort or each request.',
  },
  'xfer.stuck': { params: { share: { kind: 'share', or: 1 } }, about: 'This share of KV transfers never completes.' },
  'xfer.slow': { params: { factor: { kind: 'factor' } }, about: 'KV transfers take so many times longer.' },
  'xfer.fail': { params: { share: { kind: 'share', or: 1 } }, about: 'This share of KV transfers fails at once.' },
  'boot.dead': { params: { prefill: engine }, about: 'The prefill’s bootstrap thread is dead: addresses from decode are lost.' },
  'boot.hang': { params: { prefill: engine, seconds }, about: 'The prefill’s bootstrap thread stands for some seconds.' },
  'peer.stale': { params: { decode: engine, prefill: engine }, about: 'Transfers between the two are lost until the decode restarts.' },
  waiting_timeout: { params: { seconds }, about: 'How long decode waits for KV before it gives a request up (300 by default).' },
  'proc.kill': {
    params: { role: engine, what: { kind: ['process', 'scheduler', 'detokenizer'], or: 'process' } },
    about: 'Kills the engine; or only a child: the scheduler’s death mutes HTTP and refuses after 7 s, the detokenizer’s mutes for a minute.',
  },
  'proc.restart': {
    params: { role: engine, down: seconds, warm: { kind: 'seconds', or: 10 } },
    about: 'Ends the engine, starts it after `down` seconds, with health 503 and slow work for `warm` more.',
  },
  'proc.mute': { params: { role: engine }, about: 'The HTTP process accepts connections and never answers; its scheduler goes on.' },
  'proc.unmute': { params: { role: engine }, about: 'The HTTP process answers again, also what waits.' },
  'fe.hang': { params: { fe: frontEnd }, about: 'The front-end accepts chats and forwards nothing.' },
  'fe.oneleg': { params: { fe: frontEnd, leg: { kind: ['decode', 'prefill'], or: 'decode' } }, about: 'Only this leg of each request is sent.' },
  'fe.ghost': {
    params: { fe: frontEnd, k: { kind: 'count', or: 1 }, n: { kind: 'count', or: 3 }, connect_wait: { kind: 'seconds', or: 130 } },
    about: 'k of n requests go to a worker that is gone: no byte until the connect gives up.',
  },
  'fe.shed': {
    params: { fe: frontEnd, status: { kind: 'status', or: 429 }, share: { kind: 'share', or: 1 } },
    about: 'This share of chats is refused at once.',
  },
  'fe.slots_leak': {
    params: { fe: frontEnd, slots: { kind: 'count', or: 16 }, per: { kind: ['request', 'abort'], or: 'request' } },
    about: 'Each request (or abort) loses one of the front-end’s slots; with none left chats wait for ever.',
  },
  'fe.buffer': { params: { fe: frontEnd }, about: 'Streams are held back and come in one burst at their end.' },
  'fe.ping': { params: { fe: frontEnd, seconds: { kind: 'seconds', or: 5 } }, about: 'Open streams carry a comment line each so many seconds.' },
  'fe.models': { params: { fe: frontEnd, ids: { kind: 'names' } }, about: 'Model ids that the front-end advertises.' },
  'fe.unknown_model': { params: { fe: frontEnd, answer: { kind: ['404', 'pass', 'hang'], or: '404' } }, about: 'What a name that is not advertised gets.' },
  'fe.key': { params: { fe: frontEnd, required: { kind: 'switch', or: true } }, about: 'Chats and /workers need an API key (401 without).' },
  'conn.reset_once': { params: { fe: frontEnd }, about: 'The next chat’s connection is reset.' },
  'pair.delete': { params: { i: { kind: 'count' } }, about: 'Prefill and decode number i are gone for good.' },
  'stream.role_first': { params: {}, about: 'Front-ends send header and role chunk at once, before anything is known.' },
  'stream.stop_after': { params: { tokens: { kind: 'count', or: 3 } }, about: 'Every stream stops after so many tokens and stays open.' },
  'stream.reasoning_only': { params: {}, about: 'Answers carry reasoning tokens and no content.' },
  'stream.error_in_200': {
    params: { status: { kind: 'status', or: 500 }, fe: { kind: 'frontEnd', optional: true }, when: { kind: ['fault', 'always'], optional: true } },
    about:
      'mini_lb tells a worker’s error as an event in its 200 (`fault`, the default at second 0), or every stream is such an error (`always`, the default later).',
  },
  'stream.empty': { params: {}, about: 'Streams end with [DONE] and no token.' },
  'reply.drop': {
    params: {
      share: { kind: 'share', or: 1 },
      when: { kind: ['before-header', 'mid-stream'], or: 'before-header' },
      fe: { kind: 'frontEnd', optional: true },
      times: { kind: 'count', optional: true },
    },
    about: 'This share of replies is lost on the way back: the work is done, the client hears nothing.',
  },
  'prefill.reject': { params: { longer_than: { kind: 'count' } }, about: 'Prefill refuses prompts with more tokens (400).' },
  'http.status': {
    params: { part, path: { kind: 'path' }, code: { kind: 'status' }, times: { kind: 'count', optional: true } },
    about: 'A path of a part answers this status.',
  },
  'http.slow': {
    params: { part, path: { kind: 'path' }, seconds, times: { kind: 'count', optional: true } },
    about: 'A path of a part answers so much later.',
  },
  'metrics.off': { params: { part }, about: 'No /metrics page (404).' },
  'metrics.rename': {
    params: { part, form: { kind: ['colon', 'underscore', 'prealloc', 'misspelt'], or: 'underscore' } },
    about: 'Spelling of the metric names: `sglang:`, `sglang_`, the older prealloc name, the old misspelling infight.',
  },
  exec: {
    params: { command: { kind: 'text' }, heal: { kind: 'text', optional: true } },
    about:
      'Runs a shell command on a stack that exists (bench:detect --allow-exec, from the folder of the file) and, when it is undone or the run ends in whatever way, the one that heals it.',
  },
  'dash.pause': { params: { seconds }, about: 'The dashboard’s own event loop stands still (announced; the bench runner does it).' },
  'dash.clock': { params: { delta: { kind: 'text' } }, about: 'The dashboard’s wall clock steps by so many seconds (announced).' },
  'dash.net': {
    params: { down: { kind: 'seconds' }, targets: { kind: 'names', optional: true } },
    about: 'The dashboard’s network is down for so long (announced).',
  },
  'dash.model': { params: { fe: frontEnd, id: { kind: 'text' } }, about: 'The dashboard is configured with this model id (announced).' },
} as const satisfies Record<string, ActionSpec>;

/** Name of an action. */
export type ActionName = keyof typeof ACTIONS;

/** What an action does is undone after `for` seconds; `off: true` undoes the last one of that name (and these arguments). Every action takes both. */
export const COMMON = ['for', 'off'] as const;
