import { ask } from './ask';
import { type Baseline, everyPeriod, inARow } from './baseline';

const PERIOD_S = 10;
const TIMEOUT_S = 5;
const FAILURES = 3;

/** What most load balancers and uptime pages do: the front-end's own word for itself. */
export const health: Baseline = {
  id: 'health',
  name: 'front-end /health',
  isInProcess: true,
  settings: `GET /health of each front-end each ${PERIOD_S} s, time-out ${TIMEOUT_S} s, down after ${FAILURES} failures`,
  async start({ fronts }, clock, say) {
    const stops = fronts.map(({ name, url }) => {
      const took = inARow(FAILURES, (isDown) => say(name, isDown));
      const question = { url: `${url}/health`, seconds: TIMEOUT_S, until: 'end' as const };
      return everyPeriod(clock, PERIOD_S, async () => took((await ask(clock, question)) === 200));
    });
    return () => {
      for (const stop of stops) stop();
    };
  },
};
