import { ask } from './ask';
import { type Baseline, everyPeriod, inARow } from './baseline';

const PERIOD_S = 10;
/** Kubernetes' own default of 1 s would fail every healthy engine: the answer takes a second and more by construction. Published manifests take 10 s and more. */
const TIMEOUT_S = 10;
const FAILURES = 3;

/** The engines' probe that runs a token through them; a front-end is called down while any engine is. */
export const kubernetes: Baseline = {
  id: 'kubernetes',
  name: 'engine /health_generate',
  isInProcess: true,
  settings: `GET /health_generate of each engine as a Kubernetes probe: each ${PERIOD_S} s, time-out ${TIMEOUT_S} s, ${FAILURES} failures; any engine down counts for every front-end`,
  async start({ fronts, engines }, clock, say) {
    const down = new Set<string>();
    let isDown = false;
    const stops = engines.map(({ name, url }) => {
      const took = inARow(FAILURES, (isEngineDown) => {
        if (isEngineDown) down.add(name);
        else down.delete(name);
        if (isDown === down.size > 0) return;
        isDown = down.size > 0;
        for (const front of fronts) say(front.name, isDown);
      });
      return everyPeriod(clock, PERIOD_S, async () => {
        const status = await ask(clock, { url: `${url}/health_generate`, seconds: TIMEOUT_S, until: 'end' });
        took(status !== undefined && status >= 200 && status < 400);
      });
    });
    return () => {
      for (const stop of stops) stop();
    };
  },
};
