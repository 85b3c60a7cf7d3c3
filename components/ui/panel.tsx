import type { ReactNode } from 'react';

/** How a panel stands: with data, waiting for the first, without any, failed, or showing what was last known. */
export type PanelState =
  | { kind: 'ready' }
  | { kind: 'loading' }
  | { kind: 'empty'; why: string }
  | { kind: 'error'; why: string; retry?: () => void }
  | { kind: 'stale'; why: string };

const READY: PanelState = { kind: 'ready' };

/** One question (the title) and its answer, with the same looks for loading, empty, error and stale everywhere. */
export function Panel({
  title,
  aside,
  state = READY,
  lines = 4,
  className = '',
  children,
}: {
  title: ReactNode;
  aside?: ReactNode;
  state?: PanelState;
  lines?: number;
  className?: string;
  children?: ReactNode;
}) {
  return (
    <section className={`min-w-0 ${className}`} aria-busy={state.kind === 'loading'}>
      <div className="flex min-h-6 flex-wrap items-baseline justify-between gap-x-4 border-b border-hairline pb-1">
        <h2 className="text-xs font-semibold tracking-wide text-soft">{title}</h2>
        {aside ? <div className="text-2xs text-faint">{aside}</div> : null}
      </div>
      <div className="pt-2">{inside(state, lines, children)}</div>
    </section>
  );
}

function inside(state: PanelState, lines: number, children: ReactNode): ReactNode {
  switch (state.kind) {
    case 'ready':
      return children;
    case 'loading':
      return <Skeleton lines={lines} />;
    case 'empty':
      return <p className="max-w-prose text-soft">{state.why}</p>;
    case 'error':
      return (
        <p role="alert" className="flex flex-wrap items-center gap-3 border-l-4 border-unknown pl-3">
          <span>{state.why}</span>
          {state.retry ? (
            <button type="button" onClick={state.retry} className="min-h-6 rounded-sm border border-line px-2 hover:border-ink">
              Try again
            </button>
          ) : null}
        </p>
      );
    case 'stale':
      return (
        <div className="hatched">
          <p className="mb-2 bg-ground text-unknown">{state.why}</p>
          {children}
        </div>
      );
  }
}

function Skeleton({ lines }: { lines: number }) {
  return (
    <div role="status">
      <span className="sr-only">Loading</span>
      {WIDTHS.slice(0, lines).map((width) => (
        <div key={width} aria-hidden="true" className={`mb-2 h-4 rounded-sm bg-sunken ${width}`} />
      ))}
    </div>
  );
}

const WIDTHS = ['w-full', 'w-11/12', 'w-4/5', 'w-9/12', 'w-8/12', 'w-7/12', 'w-6/12', 'w-5/12'];
