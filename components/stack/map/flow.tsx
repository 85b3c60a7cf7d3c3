'use client';

import { type Node, type NodeProps, ReactFlow, type ReactFlowInstance, ViewportPortal } from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Form, Slot } from '../../topology/layout';
import type { MapProps } from './desk-map';
import { Dots, Under } from './layers';
import { SlotCard } from './slot-card';
import { Zoom } from './zoom';

type SlotNode = Node<{ slot: string; form: Form }, 'slot'>;

const TYPES = { slot: SlotView };
const MOST_ZOOM = 3;

/** The map in a viewport: wheel with Ctrl zooms, a drag moves what is larger than the box. Its geometry is ours; the library lays out nothing. */
export function FlowMap({ drawn, kv, lit, shown, looked, isByKey, focused }: MapProps) {
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const flow = useRef<ReactFlowInstance<SlotNode>>(undefined);
  const { geometry } = drawn;
  const bad = JSON.stringify(drawn.promoted.flatMap((lane) => lane.slots));
  const nodes = useMemo(() => {
    const promoted = (JSON.parse(bad) as Slot[]).map((slot) => ({ ...slot, key: `promoted ${slot.id}` }));
    const all = [...geometry.slots.filter(({ id }) => shown.has(id)).map((slot) => ({ ...slot, key: slot.id })), ...promoted];
    return size ? all.map((slot) => nodeOf(slot, size.width)) : [];
  }, [geometry, size, shown, bad]);

  // A node that keys lead to comes into sight; one under the mouse is in sight already.
  useEffect(() => {
    const node = isByKey && looked !== undefined ? flow.current?.getNode(looked) : undefined;
    if (!node || !size || !flow.current) return;
    const { x, y, zoom } = flow.current.getViewport();
    const left = node.position.x * zoom + x;
    const top = node.position.y * zoom + y;
    const isSeen = left >= 0 && top >= 0 && left + (node.width ?? 0) * zoom <= size.width + 1 && top + (node.height ?? 0) * zoom <= size.height + 1;
    if (!isSeen) void flow.current.setCenter(node.position.x + (node.width ?? 0) / 2, node.position.y + (node.height ?? 0) / 2, { zoom });
  }, [isByKey, looked, size]);

  // In the very commit in which the plain map goes: a key pressed between the two would be lost.
  const isDrawn = size !== undefined;
  useLayoutEffect(() => {
    if (isDrawn && focused !== undefined) box.current?.querySelector<HTMLElement>(`[data-slot="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }, [isDrawn, focused]);

  const least = size ? Math.min(1, size.height / geometry.height) : 1;
  return (
    <div ref={box} className="size-full">
      {size ? (
        <ReactFlow
          nodes={nodes}
          nodeTypes={TYPES}
          onInit={(instance) => {
            flow.current = instance;
          }}
          minZoom={least}
          maxZoom={MOST_ZOOM}
          translateExtent={[
            [0, 0],
            [size.width, Math.max(geometry.height, size.height)],
          ]}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          selectionKeyCode={null}
          multiSelectionKeyCode={null}
          panActivationKeyCode={null}
          zoomOnScroll={false}
          zoomOnDoubleClick={false}
          preventScrolling={false}
          proOptions={{ hideAttribution: true }}
        >
          <ViewportPortal>
            <div className="pointer-events-none absolute top-0 left-0 -z-10" style={{ width: size.width, height: geometry.height }}>
              <Under drawn={drawn} kv={kv} lit={lit} />
            </div>
            <div className="pointer-events-none absolute top-0 left-0 z-10" style={{ width: size.width, height: geometry.height }}>
              <Dots drawn={drawn} />
            </div>
          </ViewportPortal>
          <Zoom least={least} most={MOST_ZOOM} />
        </ReactFlow>
      ) : null}
    </div>
  );
}

function SlotView({ data }: NodeProps<SlotNode>) {
  return (
    <div className="relative size-full">
      <SlotCard id={data.slot} form={data.form} />
    </div>
  );
}

/** What the library says of a node ("node") is said of nothing else; the card in it has its own name. */
const SILENT = { 'aria-roledescription': undefined };

function nodeOf({ key, id, form, x, y, w, h }: Slot & { key: string }, width: number): SlotNode {
  const [wide, high] = [(w / 1_000) * width, h];
  const position = { x: (x / 1_000) * width, y };
  return { id: key, type: 'slot', data: { slot: id, form }, position, width: wide, height: high, style: { width: wide, height: high }, domAttributes: SILENT };
}

function useSize(box: RefObject<HTMLDivElement | null>): { width: number; height: number } | undefined {
  const [size, setSize] = useState<{ width: number; height: number }>();
  // Before the first paint: the plain map was here a moment ago.
  useLayoutEffect(() => {
    if (!box.current) return;
    const take = ({ width, height }: { width: number; height: number }) => {
      if (width > 0) setSize((old) => (old?.width === width && old.height === height ? old : { width, height }));
    };
    take(box.current.getBoundingClientRect());
    const watch = new ResizeObserver(([entry]) => entry && take(entry.contentRect));
    watch.observe(box.current);
    return () => watch.disconnect();
  }, [box]);
  return size;
}
