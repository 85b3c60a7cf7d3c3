import type { Run } from './outcome';

/** Our own lag may not exceed this share of a deadline: then it could have made a verdict. */
export const LAG_SHARE = 0.05;
/** Waking up after a stop that the scenario asks for takes this long. */
const WAKING_S = 5;

/** Why a run proves nothing; undefined: it is sound. Pauses that the scenario asks for are no lag of this machine's making. */
export function voidBecause(run: Run): string | undefined {
  if (run.failed !== undefined) return undefined;
  const worst = run.lags.filter((lag) => lag.ofStack || !run.pauses.some((pause) => lag.fromS <= pause.toS + WAKING_S && lag.toS >= pause.fromS));
  const most = worst.reduce((a, b) => (b.share > a.share ? b : a), { share: 0, ofStack: undefined } as Pick<(typeof worst)[number], 'share' | 'ofStack'>);
  if (most.share > LAG_SHARE) return `${most.ofStack ? 'the simulator' : 'our own loop'} was late by ${Math.round(most.share * 100)} % of a deadline`;
  const asked = run.scenario.timeline.some((step) => step.action.startsWith('dash.'));
  return !asked && run.lines.some((line) => line.fronts.some((front) => front.detail === 'blind')) ? 'we were blind' : undefined;
}
