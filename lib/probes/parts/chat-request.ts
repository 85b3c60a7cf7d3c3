import type { RequestSpec } from '@/lib/model/exchange';
import type { ProbeOn } from '@/lib/model/probe';

/** The chat that a probe sends: tiny, greedy, unique by its nonce at constant length, sure to reach the decode step. */
export function chatRequest(on: ProbeOn, stream: boolean): RequestSpec {
  return {
    method: 'POST',
    url: `${on.url}/v1/chat/completions`,
    headers: {
      ...on.headers,
      'content-type': 'application/json',
      accept: stream ? 'text/event-stream' : 'application/json',
      'user-agent': on.userAgent,
      'x-request-id': on.rid,
    },
    body: JSON.stringify({
      model: on.model ?? 'default',
      messages: [{ role: 'user', content: `[${on.nonce}] ${on.prompt}` }],
      max_tokens: on.maxTokens,
      temperature: 0,
      stream,
      ...(stream ? { stream_options: { include_usage: true } } : {}),
      // one token would end before any decode forward (SGLang's sources)
      ignore_eos: true,
      rid: on.rid,
      user: 'wedgewatch',
    }),
    ...(on.ca === undefined ? {} : { ca: on.ca }),
  };
}
