import { z } from 'zod';
import { readable } from '@/lib/model/foreign';
import { durationMs, hostAndPort, sizeBytes } from './quantities';

/** Shown in a message instead of the value: it may be a secret. */
export const HIDDEN = Symbol.for('wedgewatch.hidden');

const KINDS = ['sglang', 'sglang-router', 'mini-lb', 'vllm', 'vllm-router', 'vllm-proxy', 'openai'] as const;
const ROLES = ['router', 'balancer', 'prefill', 'decode', 'unified'] as const;

const text = (most: number) =>
  z
    .string({ error: 'is no text; put it in quotes' })
    .min(1, 'is empty; write something or leave the key out')
    .max(most, `is longer than ${most} characters`)
    .refine((value) => readable(value) === value, 'holds a character that cannot be seen; write it anew by hand');

function duration(least: number, most: number) {
  return z.unknown().transform((value, context): number => {
    const ms = typeof value === 'string' ? durationMs(value) : undefined;
    const example = typeof value === 'number' ? `${value}s` : '10s';
    if (ms === undefined) context.addIssue({ code: 'custom', message: `is no duration; write a number with a unit, as ${example}, 250ms or 1m30s` });
    else if (ms < least || ms > most) context.addIssue({ code: 'custom', message: `is out of range; write something from ${spell(least)} to ${spell(most)}` });
    return ms ?? 0;
  });
}

function spell(ms: number): string {
  if (ms < 1000) return `${ms}ms`;
  if (ms < 60_000) return `${ms / 1000}s`;
  return ms < 3_600_000 ? `${ms / 60_000}m` : ms < 86_400_000 ? `${ms / 3_600_000}h` : `${ms / 86_400_000}d`;
}

const size = z.unknown().transform((value, context): number => {
  const bytes = typeof value === 'string' ? sizeBytes(value) : undefined;
  if (bytes === undefined) context.addIssue({ code: 'custom', message: 'is no size; write a number with a unit, as 2GB or 500MB' });
  else if (bytes < 10 * 1024 ** 2) context.addIssue({ code: 'custom', message: 'is too small to keep anything; write at least 10MB' });
  return bytes ?? 0;
});

/** Origin and path; a query, a fragment or credentials are refused, never repeated. */
const url = z.unknown().transform((value, context): string => {
  const complain = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return '';
  };
  if (typeof value !== 'string' || value.trim() === '') return complain('is no URL; write http://host:port');
  const bare = value.trim();
  if (/^[a-z][\w+.-]*:\/\/[^/?#]*@/i.test(bare) || /^[^/?#\s]*:[^/?#\s]*@/.test(bare))
    return complain('holds credentials; take them out and write apiKey: {env: NAME}');
  if (!/^[a-z][\w+.-]*:\/\//i.test(bare)) return complain(`has no scheme; write http://${bare.replace(/^\/+/, '')}`);
  const parsed = parsedUrl(bare);
  if (parsed === undefined) return complain('is no URL; write http://host:port');
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return complain('is neither http nor https; write http://host:port');
  if (parsed.search !== '' || parsed.hash !== '') return complain('has a query or a fragment; write only http://host:port and a path');
  return parsed.origin + parsed.pathname.replace(/\/+$/, '');
});

function parsedUrl(value: string): URL | undefined {
  try {
    return new URL(value);
  } catch {
    return undefined;
  }
}

/** A secret is named, never written: its value is not repeated in the message either. */
const secret = z.unknown().transform((value, context): { env: string } | { file: string } => {
  const ref = reference(value);
  if (ref === undefined)
    context.addIssue({ code: 'custom', message: 'must not be written here; write apiKey: {env: NAME} or apiKey: {file: PATH}', params: { hide: HIDDEN } });
  return ref ?? { env: '' };
});

function reference(value: unknown): { env: string } | { file: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const [first, ...more] = Object.entries(value);
  if (first === undefined || more.length > 0 || typeof first[1] !== 'string' || first[1] === '') return undefined;
  if (first[0] === 'env' && /^[A-Za-z_]\w*$/.test(first[1])) return { env: first[1] };
  return first[0] === 'file' ? { file: first[1] } : undefined;
}

const SECRET_HEADER = /^(authorization|proxy-authorization|cookie|x-api-key|api-key)$/i;

/** What frames a request or says what we can read is ours: a wrong one makes a good server look as if it hung. */
const OUR_HEADER =
  /^(accept|accept-encoding|connection|content-encoding|content-length|content-type|expect|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent|x-request-id)$/i;

const headers = z.unknown().transform((value, context): Record<string, string> => {
  const complain = (message: string) => context.addIssue({ code: 'custom', message, params: { hide: HIDDEN } });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    complain('is no list of headers; write headers: {X-Name: "value"}');
    return {};
  }
  const kept: Record<string, string> = {};
  for (const [name, said] of Object.entries(value)) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) complain('has a name that no header can have; use letters, digits and dashes');
    else if (SECRET_HEADER.test(name)) complain(`must not hold ${name} in clear; take it out and write apiKey: {env: NAME}`);
    else if (OUR_HEADER.test(name)) complain(`must not hold ${name}, which Wedgewatch sets by itself; take it out`);
    else if (typeof said === 'string' && !/^[\t\x20-\x7e\x80-\xff\r\n]*$/.test(said))
      complain(`has a character in ${name} that no header can have; write it without, or encode it`);
    else if (typeof said !== 'string' || /[\r\n\0]/.test(said)) complain(`has a value for ${name} that is no single line of text; put it in quotes`);
    else kept[name] = said;
  }
  return kept;
});

const target = z.strictObject({
  name: text(60),
  url: url.refine((value) => /^https?:\/\/[^/]*(\/[\w.~-]+)*$/.test(value), 'has a path that is more than letters, digits, dots and dashes; write a plain one'),
  kind: z.enum(KINDS, { error: `is no kind; write one of ${KINDS.join(', ')}, or leave it out and it is found` }).optional(),
  role: z.enum(ROLES, { error: `is no role; write one of ${ROLES.join(', ')}, or leave it out and it is found` }).optional(),
  model: text(300).optional(),
  headers: headers.optional(),
  apiKey: secret.optional(),
  ca: text(4096).optional(),
  metricsUrl: url.optional(),
  timeout: duration(100, 600_000).optional(),
  probe: z.boolean({ error: 'is neither true nor false' }).optional(),
});

const list = <T extends z.ZodType>(item: T, of: string) => z.array(item, { error: `is no list; write ${of} below it, each with a dash` });

const stack = z.strictObject({ name: text(60), targets: list(target, 'targets').min(1, 'is empty; name at least one target') });

/** As it stands in a browser's address line, without a port. */
const hostName = text(253).refine((name) => /^[\w.-]+$/.test(name), 'is no host name; write it without scheme and port');

/** The file as it may be written; what it gives is not yet a Config. */
export const schema = z.strictObject(
  {
    stacks: list(stack, 'stacks').min(1, 'is empty; name at least one stack with its targets'),
    probe: z
      .strictObject({
        every: duration(1000, 86_400_000).optional(),
        firstToken: duration(500, 600_000).optional(),
        gap: duration(500, 600_000).optional(),
        cap: duration(5000, 3_600_000).optional(),
        prompt: text(2000).optional(),
        maxTokens: z
          .number({ error: 'is no number; write 6' })
          .int('is no whole number; write 6')
          .min(2, 'is too few: with 1 token no decode step runs; write 4 to 8')
          .max(256, 'is too many for a probe; write 4 to 8')
          .optional(),
      })
      .optional(),
    scrape: z.strictObject({ every: duration(1000, 3_600_000).optional(), timeout: duration(100, 60_000).optional() }).optional(),
    reference: url.optional(),
    listen: z
      .unknown()
      .transform((value, context): { host: string; port: number } => {
        const read = typeof value === 'string' || typeof value === 'number' ? hostAndPort(String(value)) : undefined;
        if (read === undefined) context.addIssue({ code: 'custom', message: 'is no address; write host:port, as 127.0.0.1:3030' });
        return read ?? { host: '', port: 0 };
      })
      .optional(),
    hosts: list(hostName, 'names').max(32, 'names more than 32 hosts').optional(),
    data: text(4096).optional(),
    retention: z.strictObject({ age: duration(60_000, 3_650 * 86_400_000).optional(), bytes: size.optional() }).optional(),
    webhook: z.strictObject({ url: z.unknown().transform(webhookUrl), headers: headers.optional() }).optional(),
  },
  { error: 'is no configuration; begin with stacks:' },
);

/** A webhook's path is often its secret: it is kept whole and never shown. */
function webhookUrl(value: unknown, context: z.RefinementCtx): string {
  const parsed = typeof value === 'string' ? parsedUrl(value.trim()) : undefined;
  const isGood = parsed !== undefined && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === '';
  if (!isGood) context.addIssue({ code: 'custom', message: 'is no URL of a webhook; write https://host/path, without credentials', params: { hide: HIDDEN } });
  return parsed?.href ?? '';
}

/** A checked file. */
export type Written = z.output<typeof schema>;

/** Keys that may stand at a path of the file; undefined where none may. */
export function keysAt(path: readonly PropertyKey[]): string[] | undefined {
  const at = path.reduce<unknown>((node, key) => {
    const here = bare(node);
    if (here instanceof z.ZodArray) return here.element;
    return here instanceof z.ZodObject ? here.shape[String(key)] : undefined;
  }, schema);
  const here = bare(at);
  return here instanceof z.ZodObject ? Object.keys(here.shape) : undefined;
}

function bare(node: unknown): unknown {
  return node instanceof z.ZodOptional ? bare(node.unwrap()) : node;
}
