import { cut } from '@/lib/format';
import type { StackView } from '@/lib/model/snapshot';
import { whereWords } from './facts';
import type { Geometry } from './layout';
import { laneOfPlace } from './paths';

/** "router, mini_lb stop here" over the lane where they do. */
export function stops(stack: StackView, geometry: Geometry) {
  const byLane = new Map<string, { names: string[]; inferred: boolean; verdict: StackView['judgement']['verdict']; place: string }>();
  for (const dot of stack.dots) {
    const node = stack.nodes.find((one) => one.id === dot.target);
    const lane = laneOfPlace(dot.place.kind, geometry);
    if (!node || !lane || dot.moving || node.judgement.verdict === 'ok') continue;
    const before = byLane.get(lane);
    byLane.set(lane, {
      names: [...(before?.names ?? []), cut(node.name, 24)],
      inferred: (before?.inferred ?? true) && dot.inferred,
      verdict: before?.verdict ?? node.judgement.verdict,
      place: whereWords(dot.place),
    });
  }
  return byLane;
}
