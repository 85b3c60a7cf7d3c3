import type { Answer } from '@/lib/model/dialect';
import { readable } from '@/lib/model/foreign';

/** A foreign JSON object, every field unknown. */
export type Foreign = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): Foreign | undefined {
  // Safe: a non-null, non-array object can be read by any key; each field stays unknown.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Foreign) : undefined;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown, most = 300): string | undefined {
  return typeof value === 'string' && value !== '' ? readable(value.slice(0, most)) : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Text as JSON, undefined when it is none. */
export function parseJson(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function jsonOf(answer: Answer | undefined): Foreign | undefined {
  return answer?.status === 200 ? asObject(parseJson(answer.body)) : undefined;
}

/** FastAPI's word for a path that it does not have: the server is there, the path is not. */
export function isFastApi404(answer: Answer | undefined): boolean {
  return answer?.status === 404 && asText(asObject(parseJson(answer.body))?.detail) === 'Not Found';
}

export function is404(answer: Answer | undefined): boolean {
  return answer?.status === 404;
}

/** Ids of an OpenAI-like model list, without repetition; an unreadable list is []. Ids are foreign text, cut in length. */
export function modelIds(body: unknown): string[] {
  const ids = asArray(asObject(body)?.data)
    .slice(0, 200)
    .map((card) => asText(asObject(card)?.id))
    .filter((id) => id !== undefined);
  return [...new Set(ids)];
}

/** `owned_by` of the first model card: `sglang`, `vllm`, `local`. */
export function modelsOwner(body: unknown): string | undefined {
  return asText(asObject(asArray(asObject(body)?.data)[0])?.owned_by);
}
