import { dialectOf } from '@/lib/dialects/recognise';
import { besides, matrixVerdict } from '@/lib/experiment/verdict';
import type { Conclusion, Experiment } from '@/lib/model/experiment';
import type { NodeView, Snapshot } from '@/lib/model/snapshot';
import { takesChats } from '@/lib/model/target';
import { VERDICTS, worst } from '@/lib/model/verdict';
import { type Diagnosis, type EngineFound, EXIT_CODES, type FrontFound } from './diagnosis';
import type { Memory } from './memory';
import type { Given } from './targets';
import { unknowns } from './unknowns';
import type { Watch } from './watch';

/** All that a run has brought, judged. */
export type Brought = { at: number; tookMs: number; isCancelled: boolean; given: readonly Given[]; seen: Watch; memory: Memory };

/** The matrix knows deadlines alone. Where the engines' counters tell that late is not lost, it must not have the last word. */
function tempered(conclusion: Conclusion, fronts: readonly FrontFound[]): Conclusion {
  const isHang = conclusion.kind === 'systemic' || conclusion.kind === 'alone' || conclusion.kind === 'one-front-end';
  const moving = fronts.find(({ detail }) => detail === 'overload' || detail === 'warm-up');
  if (!isHang || moving === undefined || fronts.some(({ verdict }) => verdict === 'hanging' || verdict === 'down')) return conclusion;
  const sentence = `No chat was answered in time, but the engines' counters speak against a hang: ${moving.detail}, ${moving.because}.`;
  return { ...conclusion, sentence, confidence: 'medium' };
}

/** No chat was sent to anybody: why is known of each. */
function notAsked(fronts: readonly FrontFound[]): Conclusion {
  return { kind: 'untried', sentence: `No chat was sent. ${fronts.map((front) => `${front.name}: ${front.because}`).join('; ')}.`, confidence: 'medium' };
}

/** The diagnosis from what was brought: the detector's judgement, with what the other ways of asking add to it. */
export function found({ at, tookMs, isCancelled, given, seen, memory }: Brought): Diagnosis {
  const experiment = seen.experiment();
  const nodes = nodesOf(seen.snapshot());
  const fronts = given.filter((one) => one.as === 'front-end').map((one) => frontFound(one, nodes.get(one.config.id), experiment));
  const verdict = worst(fronts.map((front) => front.verdict));
  const firstSentAt = experiment?.startedAt ?? at + tookMs;
  return {
    at,
    tookMs,
    isCancelled,
    verdict,
    exitCode: EXIT_CODES[verdict],
    fronts,
    engines: [...nodes.values()].flatMap((node) => engineFound(node, seen, firstSentAt)),
    ...(experiment === undefined ? {} : { experiment }),
    conclusion: tempered(experiment?.conclusion ?? notAsked(fronts), fronts),
    unknown: unknowns({ at: at + tookMs, given, seen, memory, nodes, experiment }),
  };
}

function frontFound({ config, seen, isAsked }: Given, node: NodeView | undefined, experiment: Experiment | undefined): FrontFound {
  const common = {
    name: config.name,
    url: config.url,
    what: whatOf(node, seen.isSilent ? 'no HTTP answer' : seen.why),
    models: node?.models.ids ?? [],
    ...healthOf(node),
  };
  const isEngine = node?.role === 'prefill' || node?.role === 'decode' || seen.role === 'prefill' || seen.role === 'decode';
  if (!isAsked && !isEngine) return { ...common, what: 'no LLM server', verdict: 'misconfigured', detail: 'not an LLM server', because: seen.why };
  if (isEngine || (node !== undefined && !takesChats(node)))
    return {
      ...common,
      verdict: 'unknown',
      because: !isEngine ? 'its role is not known, so no chat was sent' : 'one engine of a pair is sent no chat; name a front-end before it',
    };
  const cells = experiment?.cells ?? [];
  const alone = matrixVerdict(cells, config.id);
  const judged = node?.judgement;
  // the detector has read the engines too; where it has nothing to judge, the matrix speaks alone
  // whoever refused our questions too has failed more than once
  const isGone = seen.isSilent && judged?.verdict === 'degraded' && alone.verdict === 'down';
  const base = judged === undefined || judged.verdict === 'unknown' || isGone ? alone : judged;
  const more = besides(cells, config.id);
  if (more !== undefined && VERDICTS.indexOf(more.verdict) < VERDICTS.indexOf(base.verdict)) return { ...common, ...more };
  if (base === alone || judged === undefined) return { ...common, ...alone };
  const place = judged.place?.kind === 'none' ? undefined : judged.place;
  return {
    ...common,
    verdict: judged.verdict,
    ...(judged.detail === undefined ? {} : { detail: judged.detail }),
    ...(place === undefined ? {} : { place }),
    because: judged.because,
  };
}

function engineFound(node: NodeView, seen: Watch, firstSentAt: number): EngineFound[] {
  if (!['prefill', 'decode', 'unified'].includes(node.role)) return [];
  const counters = seen.counters.lines(node.id, firstSentAt);
  if (takesChats(node) && counters.length === 0) return [];
  const { verdict, because } = node.judgement;
  return [{ name: node.name, url: node.url, what: whatOf(node, ''), verdict, because, counters }];
}

/** "SGLang gateway 0.3.2", or why that is not known. */
function whatOf(node: NodeView | undefined, why: string): string {
  const title = node === undefined ? undefined : dialectOf(node.kind)?.title;
  return title === undefined ? why : [title, node?.version].filter(Boolean).join(' ');
}

function healthOf(node: NodeView | undefined): { health?: string } {
  return node?.health === undefined ? {} : { health: `${node.health.path} ${node.health.sentence}` };
}

function nodesOf(snapshot: Snapshot | undefined): Map<string, NodeView> {
  return new Map((snapshot?.stacks ?? []).flatMap((stack) => stack.nodes).map((node) => [node.id, node]));
}
