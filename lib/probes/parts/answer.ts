/** What one JSON chunk or body of a chat answer says. */
export type Said = {
  /** Non-empty content, reasoning or tool-call deltas. */
  payloads: number;
  text: string;
  hasRole: boolean;
  finishReason?: string;
  completionTokens?: number;
  model?: string;
  error?: string;
  errorStatus?: number;
};

const PAYLOADS = ['content', 'reasoning_content', 'reasoning', 'text', 'refusal'] as const;

/** Reads one chunk (`delta`) or whole answer (`message`) tolerantly; foreign shapes give an empty Said, never an exception. */
export function readAnswer(json: unknown): Said {
  const said: Said = { payloads: 0, text: '', hasRole: false };
  if (!isRecord(json)) return said;
  Object.assign(said, errorIn(json));
  if (typeof json.model === 'string') said.model = json.model;
  const usage = json.usage;
  if (isRecord(usage) && typeof usage.completion_tokens === 'number') said.completionTokens = usage.completion_tokens;
  for (const choice of Array.isArray(json.choices) ? json.choices : []) if (isRecord(choice)) readChoice(choice, said);
  return said;
}

function readChoice(choice: Record<string, unknown>, said: Said): void {
  const part = isRecord(choice.delta) ? choice.delta : isRecord(choice.message) ? choice.message : choice;
  if (typeof part.role === 'string') said.hasRole = true;
  for (const name of PAYLOADS) {
    const value = part[name];
    if (typeof value !== 'string' || value === '') continue;
    said.payloads += 1;
    said.text += value;
  }
  if ((Array.isArray(part.tool_calls) && part.tool_calls.length > 0) || isRecord(part.function_call)) said.payloads += 1;
  const reason = choice.finish_reason;
  if (typeof reason === 'string') said.finishReason = reason;
  if (reason === 'abort' || reason === 'error') said.error ??= `finish_reason ${reason}`;
}

function errorIn(json: Record<string, unknown>): Pick<Said, 'error' | 'errorStatus'> {
  const error = json.error;
  if (isRecord(error)) return { error: textOf(error.message ?? error), ...statusOf(error.code ?? error.status ?? json.code) };
  if (error !== undefined && error !== null && error !== false) return { error: textOf(error), ...statusOf(json.code ?? json.status_code) };
  if (json.object === 'error') return { error: textOf(json.message ?? json), ...statusOf(json.code) };
  if (!('choices' in json) && (json.detail ?? json.message) !== undefined) return { error: textOf(json.detail ?? json.message), ...statusOf(json.code) };
  return {};
}

function statusOf(code: unknown): { errorStatus?: number } {
  const number = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code;
  return typeof number === 'number' && number >= 100 && number < 600 ? { errorStatus: number } : {};
}

function textOf(value: unknown): string {
  return (typeof value === 'string' ? value : written(value)).slice(0, 2_000);
}

/** 64 kB of brackets are read without harm, but writing them overflows the stack. */
function written(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return 'an error nested too deeply to be shown';
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
