import { dirname, resolve } from 'node:path';
import { loadConfig } from '@/lib/config';
import { type Config, DEFAULTS, type TargetConfig } from '@/lib/model/config';
import type { Scenario } from '@/lib/scenarios/scenario';
import type { StandingPart } from '@/lib/scenarios/standing';

/** What the product is told of a stack that exists: what the file names, or the configuration it points at. Throws with the configuration's own errors. */
export function standingConfig(scenario: Scenario, file: string): Config {
  const { config: path, frontEnds = [], engines = [] } = scenario.standing ?? {};
  if (path !== undefined) {
    const loaded = loadConfig({ argv: ['--config', resolve(dirname(file), path)], env: process.env, cwd: process.cwd() });
    if ('errors' in loaded) throw new Error(loaded.errors.join('; '));
    return loaded.config;
  }
  return {
    stacks: [{ id: 'bench', name: 'bench', targets: [...frontEnds, ...engines].map((part) => targetOf(part, scenario)) }],
    probe: { ...DEFAULTS.probe },
    scrape: { ...DEFAULTS.scrape },
    listen: { ...DEFAULTS.listen },
    data: '',
    retention: { ...DEFAULTS.retention },
    source: 'the bench runner',
    timeScale: 1,
  };
}

function targetOf({ name, url, metricsUrl, model }: StandingPart, scenario: Scenario): TargetConfig {
  const wrong = [...scenario.traits, ...scenario.timeline].find((step) => step.action === 'dash.model' && step.args.fe === name)?.args.id;
  const id = wrong ?? model;
  return {
    id: `bench.${name}`.toLowerCase().replace(/[^a-z0-9.]+/g, '-'),
    name,
    url,
    headers: {},
    probe: true,
    ...(metricsUrl === undefined ? {} : { metricsUrl }),
    ...(id === undefined ? {} : { model: String(id) }),
  };
}
