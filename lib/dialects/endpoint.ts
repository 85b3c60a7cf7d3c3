/** Class of an HTTP path for counting: what users wait for, what only asks how it is, the rest. */
export type EndpointClass = 'chat' | 'health' | 'other';

const CHATS = new Set(['/v1/chat/completions', '/v1/completions', '/generate', '/v1/responses', '/v1/messages', '/inference/v1/generate', '/invocations']);
const HEALTHS = new Set(['/health', '/health_generate', '/ping', '/ready', '/readiness', '/liveness', '/healthz', '/readyz']);

export function endpointClass(path: string | undefined): EndpointClass {
  const bare = path?.replace(/\/$/, '') ?? '';
  if (CHATS.has(bare)) return 'chat';
  return HEALTHS.has(bare) ? 'health' : 'other';
}

/** `200` and `2xx` -> `2xx`; anything else -> `other`. */
export function statusClass(code: string | undefined): string {
  return code !== undefined && /^[1-5](\d\d|xx)$/.test(code) ? `${code[0]}xx` : 'other';
}

/** As `statusClass`, with the codes of back-pressure apart: `429` and `503`. */
export function refusalClass(code: string | undefined): string {
  return code === '429' || code === '503' ? code : statusClass(code);
}
