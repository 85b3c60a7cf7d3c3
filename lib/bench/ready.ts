import type { StandingPart } from '@/lib/scenarios/standing';

const PATIENCE_MS = 240_000;
const AGAIN_MS = 5_000;
const ONE_CHAT_MS = 15_000;

/** Settles when every front-end of a stack that exists answers a chat in whatever words; a run that begins on a sick stack proves nothing. */
export async function ready(frontEnds: readonly StandingPart[]): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (const part of frontEnds) {
    for (let why = await trouble(part); why !== undefined; why = await trouble(part)) {
      if (Date.now() > until) throw new Error(`${part.name} at ${part.url} was not well before the run: ${why}; bring the stack up first`);
      await new Promise((again) => setTimeout(again, AGAIN_MS));
    }
  }
}

/** A refusal by name or key is an answer too: the scenario may be about that. */
async function trouble(part: StandingPart): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(ONE_CHAT_MS);
    const list = (await (await fetch(`${part.url}/v1/models`, { signal })).json().catch(() => undefined)) as { data?: { id?: string }[] } | undefined;
    const body = JSON.stringify({ model: part.model ?? list?.data?.[0]?.id ?? '', messages: [{ role: 'user', content: 'ready?' }], max_tokens: 1 });
    const answer = await fetch(`${part.url}/v1/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal });
    await answer.text();
    return answer.status >= 500 ? `it answered ${answer.status}` : undefined;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    return `${error instanceof Error ? error.message : String(error)}${cause}`;
  }
}
