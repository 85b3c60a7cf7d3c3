import { deadline } from '@/lib/io/deadline';
import { hider } from '@/lib/io/hide';
import type { Exchange } from '@/lib/model/exchange';
import type { ChatReading, ProbeResult, Purpose } from '@/lib/model/probe';
import { probes } from '@/lib/probes';
import { curl } from '@/lib/probes/parts/curl';
import { aborted, brokenOff, ended, late, mayAbort, sent } from './budget';
import { begin, type ChatRun, type Context, randomHex, USER_AGENT, type Watched } from './context';
import { caFor, headersFor, secretsIn } from './secrets';

const PATH = '/v1/chat/completions';
const CONNECT_MS = 5_000;
/** Past the deadline beyond doubt: a timer may come a real millisecond early. */
const AFTER_MS = 100;
/** A server may hold the connection after [DONE]; the answer is whole all the same. */
const LINGER_MS = 2_000;
/** A server that takes no notice of `max_tokens` is listened to for this long, and for this many times the tokens asked. */
const ENDLESS_MS = 60_000;
const ENDLESS_FACTOR = 8;

/** A long prompt is computed over many steps before its first token. */
const LONG_EXTRA_MS = 30_000;
/** About three thousand tokens: many pages of KV to hand over. */
const LONG_SENTENCE = 'Read all of this with care, then go on counting.';
const LONG_TIMES = 280;
const LONG_PROMPT = `${LONG_SENTENCE} `.repeat(LONG_TIMES);

/** What to send and why; `stream: false` and `prompt: 'long'` are for experiments alone. */
export type ChatWhat = { purpose: Purpose; model: string; experiment?: string; closes?: boolean; stream?: false; prompt?: 'long' };

/** Send one chat and watch it to its end. Observed when sent, when its deadline passes with tokens flowing, when late, when it stalls and when it ends, under one id. */
export function sendChat(context: Context, watched: Watched, what: ChatWhat): ChatRun {
  const { clock, config, ports } = context;
  const { gapMs, from, ...allowed } = ports.deadline(watched.target.id);
  // a whole answer comes after all of its tokens
  const firstTokenMs = allowed.firstTokenMs + (what.stream === false ? gapMs : 0) + (what.prompt === 'long' ? LONG_EXTRA_MS : 0);
  const probe = what.stream === false ? probes['chat-whole'] : probes.chat;
  const id = `ww-${randomHex()}`;
  const sentMono = clock.monotonic();
  const reader = probe.reader();
  const spec = probe.request({
    url: watched.target.url,
    headers: headersFor(watched.config),
    ...caFor(watched.config),
    model: what.model,
    rid: id,
    nonce: randomHex(),
    prompt: what.prompt === 'long' ? LONG_PROMPT + config.probe.prompt : config.probe.prompt,
    maxTokens: config.probe.maxTokens,
    stream: what.stream !== false,
    userAgent: USER_AGENT,
  });
  // fits a channel; the shell makes the same text again
  const command = curl(spec).replace(LONG_PROMPT, `'"$(yes '${LONG_SENTENCE}' | head -n ${LONG_TIMES} | tr '\\n' ' ')"'`);
  const hide = hider(secretsIn(spec.headers));
  let isSilent = false;
  let wasLate = false;
  let settleVerdict: (result: ProbeResult) => void = () => {};
  const verdict = new Promise<ProbeResult>((resolve) => {
    settleVerdict = resolve;
  });

  const live = begin(context, spec, {
    connectTimeoutMs: Math.min(CONNECT_MS, firstTokenMs),
    onChunk(chunk, elapsedMs) {
      const seen = reader.push(chunk, elapsedMs);
      if (seen.progressed) {
        isSilent = false;
        rearm(gapMs);
      }
      const { sawDone, tokens } = reader.reading(elapsedMs);
      if (sawDone) rearm(LINGER_MS, () => live.close('complete'));
      else if (elapsedMs > ENDLESS_MS && tokens > ENDLESS_FACTOR * config.probe.maxTokens) live.close('too-big');
      return seen;
    },
  });
  let disarm = deadline(clock, firstTokenMs, fallSilent);
  const stopCap = clock.after(config.probe.capMs, atCap);
  const stopLook = clock.after(firstTokenMs + AFTER_MS, tellFlow);
  const run: ChatRun = {
    id,
    result: () => resultOf(live.read()),
    verdict,
    ended: live.ended.then(finish),
    close(why, free = false) {
      if (live.read().ended) return;
      if (!free) watched.budget = aborted(watched.budget, clock.monotonic());
      live.close(why);
    },
  };
  watched.budget = sent(watched.budget, sentMono, { id, purpose: what.purpose }, what.closes);
  watched.runs.set(id, run);
  tell(run.result());
  return run;

  function rearm(ms: number, then: () => void = fallSilent): void {
    disarm();
    disarm = deadline(clock, ms, then);
  }

  function fallSilent(): void {
    if (live.read().ended) return;
    isSilent = true;
    wasLate = true;
    watched.budget = late(watched.budget, id);
    const result = run.result();
    tell(result);
    settleVerdict(result);
  }

  /** Tokens that flow when the deadline passes: the answer is neither silent nor here, and whoever judges should know. */
  function tellFlow(): void {
    const result = run.result();
    if (result.outcome === 'pending' && (result.reading?.tokens ?? 0) > 0) tell(result);
  }

  function atCap(): void {
    if (live.read().ended) return;
    const now = clock.monotonic();
    const permit = mayAbort(watched.budget, now, 1);
    if (permit.ok) {
      run.close('cap');
      return;
    }
    const stop = clock.after(permit.at - now + 1, atCap);
    void live.ended.then(stop);
  }

  function finish(exchange: Exchange): ProbeResult {
    disarm();
    stopCap();
    stopLook();
    reader.end(exchange.elapsedMs);
    const result = resultOf(exchange);
    watched.runs.delete(id);
    watched.budget = ended(watched.budget, id, result.outcome === 'ok');
    if (result.outcome === 'too-big') watched.budget = brokenOff(watched.budget, clock.monotonic());
    tell(result);
    settleVerdict(result);
    return result;
  }

  function tell(result: ProbeResult): void {
    ports.observe({ kind: 'probe', at: clock.now(), result });
  }

  function resultOf(exchange: Exchange): ProbeResult {
    const reading = withoutSecrets(reader.reading(exchange.elapsedMs), hide);
    return {
      id,
      target: watched.target.id,
      probe: what.stream === false ? 'chat-whole' : 'chat',
      proves: probe.proves,
      purpose: what.purpose,
      path: PATH,
      model: what.model,
      stream: what.stream !== false,
      maxTokens: config.probe.maxTokens,
      rid: id,
      ...probe.judge(exchange, reading, { late: isSilent }),
      late: wasLate,
      sentAt: exchange.at,
      deadlineMs: firstTokenMs,
      deadlineFrom: from,
      exchange,
      reading,
      lagMs: context.lag.worstSince(sentMono),
      curl: command,
      ...(what.experiment === undefined ? {} : { experiment: what.experiment }),
    };
  }
}

/** Some servers quote the key that they refuse. */
function withoutSecrets(reading: ChatReading, hide: (text: string) => string): ChatReading {
  return {
    ...reading,
    text: hide(reading.text),
    ...(reading.error === undefined ? {} : { error: hide(reading.error) }),
    ...(reading.echoedModel === undefined ? {} : { echoedModel: hide(reading.echoedModel) }),
  };
}
