import { isHang, isPlain } from '@/lib/experiment/shown';
import { dateTime } from '@/lib/format';
import type { Experiment, ExperimentCell } from '@/lib/model/experiment';
import type { NodeView } from '@/lib/model/snapshot';
import { isFrontEnd } from '@/lib/model/target';
import type { Memory } from './memory';
import type { Given } from './targets';
import type { Watch } from './watch';

type Seen = { at: number; memory: Memory; given: readonly Given[]; seen: Watch; nodes: ReadonlyMap<string, NodeView>; experiment: Experiment | undefined };

/** What this run could not know, a sentence each: a conclusion is worth no more than what it was drawn from. */
export function unknowns(brought: Seen): string[] {
  return [...closed(brought), ...unseenWorkers(brought), ...unreadEngines(brought), ...noEngines(brought), ...unasked(brought)];
}

/** An earlier run has used the budget of a front-end up. */
function closed({ at, given, memory }: Seen): string[] {
  const told = given.flatMap(({ config }) => {
    const until = memory.closedUntil(config.url, at);
    return until === undefined
      ? []
      : [`what chats to ${config.name} do: an earlier run had to break off two; allowed again at ${dateTime(until, 'utc')}, or now with --again`];
  });
  const trouble = memory.trouble();
  return trouble === undefined ? told : [...told, `what later runs may send: this one could not be noted (${trouble})`];
}

function unseenWorkers({ given, seen }: Seen): string[] {
  return given.flatMap(({ config }) => {
    const list = seen.workers(config.id);
    const away = list?.workers.filter((worker) => worker.target === undefined).map((worker) => worker.url) ?? [];
    const error = list?.error === undefined ? [] : [`the workers of ${config.name}: ${list.error}`];
    return away.length === 0
      ? error
      : [
          ...error,
          `the counters of ${away.slice(0, 4).join(', ')}${away.length > 4 ? ` and ${away.length - 4} more` : ''}: not on the hosts named; add --engine URL`,
        ];
  });
}

function unreadEngines({ seen, nodes }: Seen): string[] {
  return [...nodes.values()]
    .filter((node) => ['prefill', 'decode'].includes(node.role) && !seen.counters.has(node.id))
    .map((node) => {
      const page = node.pages[0];
      return `the counters of ${node.name}: ${page === undefined ? 'no page was read' : [page.outcome, page.detail].filter(Boolean).join(', ')}`;
    });
}

/** Only who took a chat can have lost it behind itself. */
function noEngines({ nodes, experiment }: Seen): string[] {
  const wasTaken = experiment?.cells.some((cell) => cell.tries.some((one) => isHang(one) || one.status !== undefined)) ?? false;
  const all = [...nodes.values()];
  const isBlind = wasTaken && all.some(isFrontEnd) && !all.some((node) => ['prefill', 'decode', 'unified'].includes(node.role));
  return isBlind ? ['which engines stand behind it, so where requests stop: no worker list told any; add --engine URL'] : [];
}

function unasked({ experiment }: Seen): string[] {
  const cells = experiment?.cells.filter((cell) => cell.tries.length === 0) ?? [];
  const tried = new Set(experiment?.cells.filter((cell) => cell.tries.some(isHang)).map((cell) => cell.target));
  const left = cells.filter((cell) => tried.has(cell.target));
  const kinds = [...new Set(left.map((cell) => (isPlain(cell) ? QUESTIONS[cell.whose] : cell.stream === false ? 'a whole answer' : 'a long prompt')))];
  if (kinds.length === 0) return [];
  return [`what comes of ${kinds.join(', ')}: not asked where chats hang, since at most two may have to be broken off`];
}

const QUESTIONS: Record<ExperimentCell['whose'], string> = { own: 'its own id', sibling: "a sibling's id", nonsense: 'a nonsense id' };
