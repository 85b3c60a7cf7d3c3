import type { Act } from '../act';

const announced: Act = () => undefined;

/** What happens to the dashboard itself, or outside of any simulated part: only announced, the bench runner does it. */
export const dashboard = {
  exec: announced,
  'dash.pause': announced,
  'dash.clock': announced,
  'dash.net': announced,
  'dash.model': announced,
} satisfies Record<string, Act>;
