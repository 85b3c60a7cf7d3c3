import type { NodeView, StackView } from '@/lib/model/snapshot';
import type { Runtime } from '@/lib/runtime';
import { quoted, refusal } from './answer';

/** The watched node of that id, with its stack; refused with 404 when there is none. */
export function watchedNode(runtime: Runtime, id: string): { node: NodeView; stack: StackView } {
  for (const stack of runtime.snapshot()?.stacks ?? []) {
    const node = stack.nodes.find((each) => each.id === id);
    if (node !== undefined) return { node, stack };
  }
  throw notWatched(id);
}

/** Refuses with 404 an id that is neither watched now nor ever was. */
export function knownTarget(runtime: Runtime, id: string): void {
  const isWatched = runtime.snapshot()?.stacks.some((stack) => stack.nodes.some((node) => node.id === id)) ?? false;
  const isConfigured = () => runtime.config().stacks.some((stack) => stack.targets.some((target) => target.id === id));
  const wasWatched = () =>
    (runtime.history()?.keys() ?? []).some((each) => each.target === id) || (runtime.history()?.probes({ target: id, limit: 1 }) ?? []).length > 0;
  if (!isWatched && !isConfigured() && !wasWatched()) throw notWatched(id);
}

function notWatched(id: string) {
  return refusal(404, `No target has the id ${quoted(id)}; /api/snapshot lists those that are watched.`);
}
