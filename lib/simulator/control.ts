import type { RequestListener } from 'node:http';
import type { Scenario } from '@/lib/scenarios/scenario';
import type { SimClock } from './clock';
import type { Play } from './play';
import { pathOf, sendJson, sendText } from './reply';

/** The simulator's own port, for people and tests, never for the dashboard: what was done so far, and the truth. */
export function controlHandler(scenario: Scenario, play: Play, clock: SimClock): RequestListener {
  return (req, res) => {
    req.resume();
    const path = pathOf(req);
    if (path === '/timeline')
      return sendJson(res, 200, { scenario: scenario.id, title: scenario.title, seconds: clock.now(), timeScale: clock.scale, changes: play.changes });
    if (path === '/truth') return sendJson(res, 200, { scenario: scenario.id, truth: scenario.truth });
    if (path === '/reference') return sendText(res, 200, 'OK', { 'content-type': 'text/plain' });
    sendText(res, 404, 'see /timeline and /truth', { 'content-type': 'text/plain' });
  };
}
