import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { checks, slug, under } from './config/checks';
import { readYaml } from './config/file';
import { type Mistake, mistakesOf, sentence } from './config/mistakes';
import { schema, type Written } from './config/schema';
import { type Config, DEFAULTS, type TargetConfig } from './model/config';

export { resolveSecret } from './config/secret';

/** Where a configuration may come from. */
export type Sources = { argv: readonly string[]; env: Readonly<Record<string, string | undefined>>; cwd: string };

/** A configuration, or all that is wrong with it; `absent`: nothing is wrong but that none was written, so that this host should be searched. */
export type Loaded = { config: Config } | { errors: string[]; absent?: boolean };

/** Reads and checks the configuration whole. Order: `--config FILE`, `WEDGEWATCH_CONFIG`, `wedgewatch.yaml` in the working folder. */
export function loadConfig(sources: Sources): Loaded {
  const file = fileOf(sources);
  if ('error' in file) return { errors: [file.error] };
  if (file.path === undefined)
    return { errors: [`no configuration: no --config FILE, no WEDGEWATCH_CONFIG and no wedgewatch.yaml in ${sources.cwd}`], absent: true };
  const read = readYaml(resolve(sources.cwd, file.path));
  const told = (mistakes: readonly Mistake[]) => ({ errors: mistakes.map((mistake) => sentence(file.path ?? '', mistake)) });
  if ('mistakes' in read) return told(read.mistakes);
  const folder = dirname(resolve(sources.cwd, file.path));
  const checked = schema.safeParse(read.raw);
  const mistakes = [...mistakesOf(checked.error?.issues ?? [], read.raw), ...checks(read.raw, sources.env, folder)];
  if (mistakes.length > 0 || !checked.success) {
    const placed = mistakes.map((mistake) => ({ ...mistake, line: mistake.line ?? read.place(mistake.path, mistake.says.startsWith('is no key')) }));
    return told(placed.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)));
  }
  return { config: configOf(checked.data, { source: file.path, folder, isProbing: !sources.argv.includes('--no-probe') }) };
}

/** The configuration for a stack that was found rather than written. */
export function defaultConfig(stacks: Config['stacks'], sources: Pick<Sources, 'argv' | 'cwd'>, source = 'this host'): Config {
  return { ...configOf({ stacks: [] }, { source, folder: sources.cwd, isProbing: !sources.argv.includes('--no-probe') }), stacks };
}

/** The configuration for showing: no header's value, no webhook's path. Secrets are references in it anyway. */
export function publicConfig(config: Config): Config {
  const masked = (headers: Record<string, string>) => Object.fromEntries(Object.keys(headers).map((name) => [name, '...']));
  return {
    ...config,
    stacks: config.stacks.map((stack) => ({ ...stack, targets: stack.targets.map((target) => ({ ...target, headers: masked(target.headers) })) })),
    ...(config.webhook === undefined ? {} : { webhook: { url: `${new URL(config.webhook.url).origin}/...`, headers: masked(config.webhook.headers) } }),
  };
}

function fileOf({ argv, env, cwd }: Sources): { path?: string } | { error: string } {
  const index = argv.findIndex((word) => word === '--config' || word.startsWith('--config='));
  const word = argv[index];
  if (word !== undefined) {
    const path = word === '--config' ? argv[index + 1] : word.slice('--config='.length);
    return path === undefined || path === '' || path.startsWith('--') ? { error: '--config names no file; write --config FILE' } : { path };
  }
  if (env.WEDGEWATCH_CONFIG) return { path: env.WEDGEWATCH_CONFIG };
  const found = ['wedgewatch.yaml', 'wedgewatch.yml'].find((name) => existsSync(resolve(cwd, name)));
  return found === undefined ? {} : { path: found };
}

function configOf(written: Written, given: { source: string; folder: string; isProbing: boolean }): Config {
  const everyMs = written.probe?.every ?? DEFAULTS.probe.everyMs;
  const scrapeMs = written.scrape?.every ?? DEFAULTS.scrape.everyMs;
  return {
    stacks: written.stacks.map((stack) => ({
      id: slug(stack.name),
      name: stack.name,
      targets: stack.targets.map((target) => targetOf(stack.name, target, given.folder)),
    })),
    probe: {
      everyMs,
      // 10-14 s by default: the jitter only lengthens, and keeps its share.
      jitterMs: Math.round((everyMs * DEFAULTS.probe.jitterMs) / DEFAULTS.probe.everyMs),
      firstTokenMs: written.probe?.firstToken ?? DEFAULTS.probe.firstTokenMs,
      gapMs: written.probe?.gap ?? DEFAULTS.probe.gapMs,
      capMs: written.probe?.cap ?? DEFAULTS.probe.capMs,
      prompt: written.probe?.prompt ?? DEFAULTS.probe.prompt,
      maxTokens: written.probe?.maxTokens ?? DEFAULTS.probe.maxTokens,
      enabled: given.isProbing,
    },
    scrape: { ...DEFAULTS.scrape, everyMs: scrapeMs, timeoutMs: written.scrape?.timeout ?? DEFAULTS.scrape.timeoutMs, loadsMs: scrapeMs },
    ...(written.reference === undefined ? {} : { reference: written.reference }),
    listen: written.listen ?? { ...DEFAULTS.listen },
    ...(written.hosts === undefined ? {} : { hosts: written.hosts }),
    data: under(given.folder, written.data ?? DEFAULTS.data),
    retention: { ageMs: written.retention?.age ?? DEFAULTS.retention.ageMs, bytes: written.retention?.bytes ?? DEFAULTS.retention.bytes },
    ...(written.webhook === undefined ? {} : { webhook: { url: written.webhook.url, headers: written.webhook.headers ?? {} } }),
    source: given.source,
    timeScale: 1,
  };
}

function targetOf(stack: string, target: Written['stacks'][number]['targets'][number], folder: string): TargetConfig {
  const { apiKey, ca, timeout, headers, probe, ...same } = target;
  return {
    ...same,
    id: `${slug(stack)}.${slug(target.name)}`,
    headers: headers ?? {},
    probe: probe ?? true,
    foundBy: 'config',
    ...(apiKey === undefined ? {} : { apiKey: 'file' in apiKey ? { file: under(folder, apiKey.file) } : apiKey }),
    ...(ca === undefined ? {} : { ca: under(folder, ca) }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout }),
  };
}
