import { duration } from '@/lib/format';
import { type Mark, phases } from '@/lib/model/exchange';
import type { ProbeResult } from '@/lib/model/probe';

const WORDS: Record<Mark, string> = {
  resolved: 'name resolved',
  connected: 'connected',
  secured: 'TLS agreed',
  sent: 'request sent',
  headers: 'headers',
  firstByte: 'first byte of the body',
  firstEvent: 'first event',
  firstToken: 'first token',
  end: 'end',
};

/** Phases of one exchange as bars on one time axis; the open end of a probe that waits is drawn as such, with its deadline. */
export function Waterfall({ probe }: { probe: ProbeResult }) {
  const { exchange, deadlineMs, late } = probe;
  const spans = phases(exchange.marks);
  const done = spans.reduce((sum, span) => sum + span.ms, 0);
  const total = Math.max(1, exchange.elapsedMs, late ? deadlineMs : 0);
  const bars = [
    ...spans.map((span, index) => ({ name: WORDS[span.to], from: spans.slice(0, index).reduce((sum, one) => sum + one.ms, 0), ms: span.ms, isOpen: false })),
    ...(exchange.marks.end === undefined
      ? [{ name: exchange.ended ? 'then it broke' : 'silence since', from: done, ms: Math.max(0, exchange.elapsedMs - done), isOpen: true }]
      : []),
  ];
  return (
    <table className="w-full border-collapse text-left">
      <caption className="sr-only">Phases of this probe</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">reached</th>
          <th scope="col">at</th>
          <th scope="col">took</th>
          <th scope="col">on the time axis</th>
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.name}>
            <th scope="row" className="w-44 py-0.5 pr-3 font-normal whitespace-nowrap text-soft">
              {bar.name}
            </th>
            <td className="w-20 pr-3 text-right whitespace-nowrap">{duration(bar.from + bar.ms)}</td>
            <td className="w-20 pr-3 text-right whitespace-nowrap text-faint">{bar.isOpen ? duration(bar.ms) : `+${duration(bar.ms)}`}</td>
            <td className="max-sm:hidden">
              <span className="relative block h-4 border-l border-hairline">
                <span
                  data-verdict={late ? 'hanging' : 'unknown'}
                  className={`absolute inset-y-0.5 min-w-px ${bar.isOpen ? 'hatched border-2 border-dashed border-state' : 'bg-soft'}`}
                  style={{ left: `${(bar.from / total) * 100}%`, width: `${(bar.ms / total) * 100}%` }}
                />
                {deadlineMs <= total ? (
                  <span aria-hidden="true" title="deadline" className="absolute inset-y-0 w-0.5 bg-ink" style={{ left: `${(deadlineMs / total) * 100}%` }} />
                ) : null}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="text-2xs text-faint">
          <td colSpan={4} className="pt-1">
            whole: {duration(exchange.elapsedMs)}; deadline {duration(deadlineMs)}
            {deadlineMs <= total ? ' (upright line)' : ''}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
