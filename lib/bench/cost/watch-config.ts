import { type Config, DEFAULTS } from '@/lib/model/config';

/** A configuration with all defaults for a simulated stack; kinds and roles are left to be found out. */
export function watchConfig(targets: readonly { name: string; url: string; metricsUrl?: string }[], data: string): Config {
  return {
    stacks: [
      {
        id: 'bench',
        name: 'bench',
        targets: targets.map(({ name, url, metricsUrl }) => ({
          id: `bench.${name}`,
          name,
          url,
          headers: {},
          probe: true,
          ...(metricsUrl === undefined ? {} : { metricsUrl }),
        })),
      },
    ],
    probe: { ...DEFAULTS.probe },
    scrape: { ...DEFAULTS.scrape },
    listen: { ...DEFAULTS.listen },
    data,
    retention: { ...DEFAULTS.retention },
    source: 'the bench',
    timeScale: 1,
  };
}
