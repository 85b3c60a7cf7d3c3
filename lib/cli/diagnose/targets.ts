import { caFor, headersFor } from '@/lib/collector/secrets';
import { slug } from '@/lib/config/checks';
import { type Fingerprint, fingerprint } from '@/lib/find/ask';
import type { Clock } from '@/lib/io/clock';
import { pageReader } from '@/lib/io/page';
import type { TargetConfig } from '@/lib/model/config';
import type { Answer } from '@/lib/model/dialect';
import type { Options } from './args';

export const STACK = 'diagnosis';

/** An address given, what answers there, and how we will watch it; `isAsked`: it is sent chats. */
export type Given = { config: TargetConfig; as: 'front-end' | 'engine'; seen: Fingerprint; isAsked: boolean };

const TIMEOUT_MS = 4_000;
const BYTE_CAP = 4 * 1024 * 1024;
const USER_AGENT = 'wedgewatch/0.1.0';

/** Ask each address what it is. What does not tell is taken for what it was given as: a front-end. */
export async function recognise(options: Options, clock: Clock): Promise<Given[]> {
  const pages = pageReader(clock);
  try {
    return await Promise.all([
      ...options.urls.map((url, at) => look(url, at, 'front-end')),
      ...options.engines.map((url, at) => look(url, options.urls.length + at, 'engine')),
    ]);
  } finally {
    await pages.close();
  }

  async function look(url: string, at: number, as: 'front-end' | 'engine'): Promise<Given> {
    const config = configOf(options, url, at);
    const seen = await fingerprint(url, async (base, path): Promise<Answer> => {
      const headers = { ...headersFor(config), 'user-agent': USER_AGENT };
      const page = await pages.read(base + path, { timeoutMs: TIMEOUT_MS, byteCap: BYTE_CAP, headers, ...caFor(config) });
      const { status, contentType, body, tookMs } = page;
      if (status === undefined) return { path, tookMs, failure: [page.outcome, page.detail].filter(Boolean).join(': ') };
      return { path, status, headers: page.headers, body, tookMs, ...(contentType === undefined ? {} : { contentType }) };
    });
    return given(config, seen, as, options);
  }
}

function given(config: TargetConfig, seen: Fingerprint, as: 'front-end' | 'engine', options: Options): Given {
  const isEngine = as === 'engine' || seen.role === 'prefill' || seen.role === 'decode';
  // who names a model says that this is a server of models, whatever its other pages say
  const isForeign = (seen.kind === 'not-llm' && options.model === undefined) || seen.kind === 'dummy';
  const role = isForeign || isEngine || seen.kind === 'sglang' ? undefined : seen.role === 'unknown' ? ('router' as const) : seen.role;
  const kind = seen.kind === 'unknown' || (seen.kind === 'not-llm' && !isForeign) ? undefined : seen.kind;
  return {
    config: { ...config, probe: !isEngine, ...(role === undefined ? {} : { role }), ...(kind === undefined ? {} : { kind }) },
    as,
    seen,
    isAsked: !isEngine && !isForeign,
  };
}

function configOf(options: Options, url: string, at: number): TargetConfig {
  const name = url.replace(/^https?:\/\//, '');
  return {
    id: `${STACK}.${at + 1}-${slug(name)}`,
    name,
    url,
    headers: options.headers,
    probe: true,
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.key === undefined ? {} : { apiKey: options.key }),
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  };
}
