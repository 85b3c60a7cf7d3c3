import type { Verdict } from '../lib/model/verdict';
import type { StackOptions } from './stack';

/** A look of the screen: the verdict that the stack must have, and what else makes it. */
export type State = {
  name: string;
  verdict: Verdict;
  /** Told seconds to wait once the verdict is there, so that charts and strips have something to show. */
  thenS?: number;
  /** The app stands still while the pictures are taken. */
  isStopped?: boolean;
};

/** A story and the state of it that is taken. */
export type Play = StackOptions & { state: State };

export const PLAYS: Play[] = [
  { scenario: 'lib/scenarios/sc-14-quiet-night.yaml', timeScale: 2, state: { name: 'quiet', verdict: 'ok', thenS: 60 } },
  {
    scenario: 'lib/scenarios/incident.yaml',
    timeScale: 2,
    state: { name: 'hanging', verdict: 'hanging', thenS: 12 },
  },
  { scenario: 'lib/scenarios/sc-13-decode-gone.yaml', timeScale: 2, state: { name: 'down', verdict: 'down', thenS: 20 } },
  {
    scenario: 'lib/scenarios/sc-19-wrong-name.yaml',
    configure: (yaml) => yaml.replace('{ name: router,', '{ name: router, model: deepseek-v4-flsah,'),
    state: { name: 'misconfigured', verdict: 'misconfigured', thenS: 15 },
  },
  { scenario: 'lib/scenarios/sc-24-shedding.yaml', timeScale: 2, state: { name: 'degraded', verdict: 'degraded', thenS: 40 } },
  {
    scenario: 'e2e/scenarios/heals.yaml',
    configure: (yaml) => `${yaml}reference: "http://127.0.0.1:9/"\n`,
    state: { name: 'unknown', verdict: 'unknown', thenS: 15 },
  },
  {
    scenario: 'e2e/scenarios/heals.yaml',
    state: { name: 'blind', verdict: 'ok', thenS: 15, isStopped: true },
  },
  { scenario: 'e2e/scenarios/wedged.yaml', configure: longNames, state: { name: 'several', verdict: 'hanging', thenS: 15 } },
];

/** Names of forty letters, and a second and a third stack beside the first. */
function longNames(yaml: string, ports: { router: number; minilb: number }): string {
  const long = yaml
    .replace('name: demo', 'name: production-europe-west-inference-stack-1')
    .replace('name: router', 'name: gateway-of-the-frankfurt-region-number-0')
    .replace('name: mini_lb', 'name: balancer-for-batch-jobs-of-the-night-01')
    .replace('name: prefill', 'name: prefill-h200-rack-17-node-04-replica-002')
    .replace('name: decode', 'name: decode-h200-rack-18-node-11-replica-0007');
  const more = `  - name: staging
    targets:
      - { name: closed, url: "http://127.0.0.1:${ports.router + 5}" }
  - name: a-canary-whose-name-is-as-long-as-any-name
    targets:
      - { name: lonely, url: "http://a-host-whose-name-nobody-knows.inference.example:${ports.minilb}" }
listen:`;
  return long.replace('listen:', more);
}
