import type { Verdict } from '@/lib/model/verdict';

/** The shape of a verdict, so that colour never speaks alone; hollow where the verdict is inferred. Decorative: the word stands beside it. */
export function Glyph({ verdict, hollow = false, className = 'size-4' }: { verdict: Verdict; hollow?: boolean; className?: string }) {
  return (
    <svg data-verdict={verdict} viewBox="0 0 24 24" aria-hidden="true" className={`shrink-0 text-state ${className}`}>
      {SHAPES[verdict](hollow)}
    </svg>
  );
}

const body = (hollow: boolean) => ({
  fill: hollow ? 'var(--ground)' : 'currentColor',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinejoin: 'round' as const,
});
const mark = (hollow: boolean) => (hollow ? 'currentColor' : 'var(--ground)');

const SHAPES: Record<Verdict, (hollow: boolean) => React.ReactNode> = {
  ok: (hollow) => <circle cx="12" cy="12" r="4.5" {...body(hollow)} />,
  degraded: (hollow) => (
    <>
      <path d="M12 3 22.5 21h-21Z" {...body(hollow)} />
      <path d="M12 9.5v5.5M12 17.2v1.3" stroke={mark(hollow)} strokeWidth="2.2" />
    </>
  ),
  hanging: (hollow) => (
    <>
      <path d="M7.6 1.5h8.8l6.1 6.1v8.8l-6.1 6.1H7.6l-6.1-6.1V7.6Z" {...body(hollow)} />
      <path d="M9.3 7v10M14.7 7v10" stroke={mark(hollow)} strokeWidth="3" />
    </>
  ),
  down: (hollow) => (
    <>
      <path d="M2.5 2.5h19v19h-19Z" {...body(hollow)} />
      <path d="m7.5 7.5 9 9m0-9-9 9" stroke={mark(hollow)} strokeWidth="3" />
    </>
  ),
  misconfigured: (hollow) => (
    <>
      <path d="M2.5 2.5h19v19h-19Z" fill="none" stroke="currentColor" strokeWidth="2" strokeDasharray="2.5 2.5" />
      <path
        d="M16.9 6.2a4.2 4.2 0 0 0-5.6 5.3l-5 5 2.2 2.2 5-5a4.2 4.2 0 0 0 5.3-5.6l-2.6 2.6-1.9-1.9Z"
        fill={hollow ? 'none' : 'currentColor'}
        stroke="currentColor"
      />
    </>
  ),
  unknown: () => (
    <>
      <circle cx="12" cy="12" r="9.5" fill="var(--ground)" stroke="currentColor" strokeWidth="2.4" />
      <path d="M12 6.5V12l3.8 2.4" fill="none" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round" />
    </>
  ),
};
