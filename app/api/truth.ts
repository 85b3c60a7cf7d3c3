import { fromJSONSchema } from 'zod';

/** What a description says of one method of one path; only what is checked. */
type Operation = {
  parameters?: { name: string; in: string; example?: unknown; required?: boolean }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: unknown }> }>;
};
export type Description = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, unknown> } };

/** One try against the server and what it must answer. */
export type Try = { title: string; method: string; path: string; headers: Record<string, string>; body?: string; expect: number[]; operation: Operation };

/** Ids that exist, per path with `{id}`, absent where there is none; under `stack` one of a stack. */
export type Ids = Record<string, string | undefined>;

const JSON_TYPE = { 'content-type': 'application/json' };

/** All that is tried of a description: what it says is right, what it says is refused, and what it does not say. */
export function triesOf(description: Description, ids: Ids): Try[] {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => triesOfOne(path, method.toUpperCase(), operation, ids)),
  );
}

function triesOfOne(template: string, method: string, operation: Operation, ids: Ids): Try[] {
  const isThere = !template.includes('{id}') || ids[template] !== undefined;
  const path = template.replace('{id}', encodeURIComponent(ids[template] ?? 'none'));
  const body = exampleOf(operation, ids);
  const base = { method, path, operation, headers: body === undefined ? {} : JSON_TYPE, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const query = new URLSearchParams(
    (operation.parameters ?? []).flatMap(({ name, example }) => [example ?? []].flat().map((each): [string, string] => [name, String(each)])),
  );
  // Two ways to say the same are not given at once.
  if (query.has('range')) query.delete('from');
  const well = Object.keys(operation.responses)
    .map(Number)
    .filter((status) => status < 300 || status === 503);
  const tries: Try[] = [
    {
      ...base,
      title: 'as its examples say',
      path: query.size > 0 ? `${path}?${query}` : path,
      expect: !isThere ? [404] : method === 'GET' ? well : [...well, 409],
    },
  ];
  if (method === 'HEAD') return tries;
  tries.push({ ...base, title: 'with a parameter that it does not know', path: `${path}?nonsense=1`, expect: [400] });
  for (const { name, in: where } of operation.parameters ?? []) {
    if (where !== 'query') continue;
    tries.push({ ...base, title: `with an empty ${name}`, path: `${path}?${name}=`, expect: [400] });
  }
  if (template.includes('{id}')) tries.push({ ...base, title: 'with an id that is not there', path: template.replace('{id}', 'no%22such<id>'), expect: [404] });
  if (method === 'GET') return tries;
  tries.push({ ...base, title: 'from another origin', headers: { ...base.headers, origin: 'https://evil.example' }, expect: [403] });
  tries.push({ ...base, title: 'from another site', headers: { ...base.headers, 'sec-fetch-site': 'cross-site' }, expect: [403] });
  if (body === undefined) return tries;
  tries.push({ ...base, title: 'as a form', headers: { 'content-type': 'text/plain' }, expect: [415] });
  tries.push({ ...base, title: 'with what is no JSON', body: '{', expect: [400] });
  tries.push({ ...base, title: 'with too much', body: `{"x":"${'y'.repeat(100_000)}"}`, expect: [413] });
  return tries;
}

/** The example's body, about a stack that is there. */
function exampleOf(operation: Operation, ids: Ids): Record<string, unknown> | undefined {
  const example = operation.requestBody?.content['application/json']?.example;
  if (typeof example !== 'object' || example === null) return undefined;
  return { ...example, ...('stack' in example && ids.stack !== undefined ? { stack: ids.stack } : {}) };
}

/** What is wrong with an answer, in words; undefined when it is as described. */
export function complaint(description: Description, tried: Try, answer: { status: number; type: string; body: string }): string | undefined {
  const { status, type, body } = answer;
  if (!tried.expect.includes(status)) return `answered ${status}, not ${tried.expect.join(' or ')}: ${body.slice(0, 200)}`;
  const said = tried.operation.responses[String(status)];
  if (said === undefined) return `answered ${status}, which is not described`;
  const content = said.content === undefined ? [] : Object.entries(said.content);
  const described = content.find(([mime]) => type.startsWith(mime));
  if (content.length > 0 && described === undefined) return `answered ${type}, which is not described for ${status}`;
  if (described === undefined || !type.startsWith('application/json')) return undefined;
  const read = fromJSONSchema(inlined(described[1].schema, description) as Parameters<typeof fromJSONSchema>[0]).safeParse(JSON.parse(body));
  if (!read.success) return `answered what its schema refuses: ${read.error.message.slice(0, 500)}`;
  return status >= 400 && status !== 503 && !isOneSentence(body) ? `refused without one sentence: ${body.slice(0, 200)}` : undefined;
}

/** The schema with every reference replaced by what it names. */
function inlined(schema: unknown, description: Description): unknown {
  if (Array.isArray(schema)) return schema.map((each) => inlined(each, description));
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('$ref' in schema) return inlined(description.components.schemas[String(schema.$ref).replace('#/components/schemas/', '')], description);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inlined(value, description)]));
}

function isOneSentence(body: string): boolean {
  const { error } = JSON.parse(body) as { error: string };
  return error.length > 10 && error.length < 400 && !error.includes('\n') && /[.!]$/.test(error);
}
