import { startCollector } from '@/lib/collector/collector';
import { defaultConfig } from '@/lib/config';
import { createDetector } from '@/lib/detector/detector';
import { realClock } from '@/lib/io/clock';
import type { TargetConfig } from '@/lib/model/config';
import type { Observation } from '@/lib/model/observation';
import type { NodeView, Snapshot } from '@/lib/model/snapshot';
import { until } from '../processes';

/** Our own collector and detector on real targets, as the worker joins them, with everything observed kept. */
export type Watch = {
  observations: Observation[];
  snapshot(): Snapshot | undefined;
  node(name: string): NodeView | undefined;
  /** Settles with what `find` finds; fails with what is known of the stack when it takes longer than `limitMs`. */
  comes<T>(what: string, find: () => T | undefined, limitMs?: number): Promise<T>;
  stop(): Promise<void>;
};

export function watch(addresses: Record<string, { url: string; metricsUrl?: string }>): Watch {
  const targets = Object.entries(addresses).map(
    ([name, { url, metricsUrl }]): TargetConfig => ({ id: `real.${name}`, name, url, headers: {}, probe: true, ...(metricsUrl ? { metricsUrl } : {}) }),
  );
  const config = defaultConfig([{ id: 'real', name: 'real', targets }], { argv: [], cwd: process.cwd() });
  const observations: Observation[] = [];
  const detector = createDetector({ config, build: 'test' });
  const collector = startCollector(config, { observe, experiment: () => {}, deadline: detector.deadline }, realClock());
  const snapshot = () => detector.snapshot();
  const node = (name: string) => snapshot()?.stacks[0]?.nodes.find((one) => one.name === name);

  function observe(observation: Observation) {
    observations.push(observation);
    for (const effect of detector.step(observation)) if (effect.kind === 'probe') collector.requestProbe(effect.target, effect.purpose, effect.because);
  }

  return {
    observations,
    snapshot,
    node,
    async comes(what, find, limitMs = 60_000) {
      await until(
        () => find() !== undefined,
        limitMs,
        () => `${what} did not come. ${summary(snapshot())}`,
      );
      return find() as NonNullable<ReturnType<typeof find>>;
    },
    stop: () => collector.stop(),
  };
}

function summary(snapshot: Snapshot | undefined): string {
  const stack = snapshot?.stacks[0];
  const nodes = stack?.nodes.map((one) => `${one.name} (${one.kind}, ${one.role}): ${one.judgement.verdict}, ${one.strip.map((dot) => dot.outcome).join(' ')}`);
  return `${stack?.sentence}\n${nodes?.join('\n')}`;
}
