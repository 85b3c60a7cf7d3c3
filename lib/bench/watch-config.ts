import type { Config, TargetConfig } from '@/lib/model/config';
import { DEFAULTS } from '@/lib/model/config';
import type { SimTarget } from '@/lib/simulator/simulation';
import type { Cast } from './seeds';

/** The configuration of a watcher: names and addresses as an operator writes them, the product's defaults, and the runner's factor on the clock. */
export function configFor(cast: Cast, { targets, referenceUrl }: { targets: readonly SimTarget[]; referenceUrl: string }, scale: number): Config {
  return {
    stacks: [{ id: 'bench', name: 'bench', targets: targets.map((target) => targetOf(cast, target)) }],
    probe: { ...DEFAULTS.probe },
    scrape: { ...DEFAULTS.scrape },
    reference: referenceUrl,
    listen: { ...DEFAULTS.listen },
    data: '',
    retention: { ...DEFAULTS.retention },
    source: 'the bench runner',
    timeScale: scale,
  };
}

/** The model id that somebody has configured for a front-end from the start, right or wrong; absent: it is asked for. */
export function configuredModel({ scenario }: Cast, front: string): string | undefined {
  const steps = [...scenario.traits, ...scenario.timeline].filter((step) => step.action === 'dash.model' && step.at === 0);
  const step = steps.find(({ args }) => args.fe === front);
  return step === undefined ? undefined : String(step.args.id);
}

function targetOf(cast: Cast, { name, url, metricsUrl }: SimTarget): TargetConfig {
  const model = configuredModel(cast, name);
  return {
    id: `${cast.salt}.${name}`.toLowerCase().replace(/[^a-z0-9.]+/g, '-'),
    name,
    url,
    headers: {},
    probe: true,
    ...(metricsUrl === undefined ? {} : { metricsUrl }),
    ...(model === undefined ? {} : { model }),
  };
}
