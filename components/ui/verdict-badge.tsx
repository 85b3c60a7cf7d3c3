import type { Freshness, Verdict } from '@/lib/model/verdict';
import { Glyph } from './glyph';

/** A verdict by word, shape and colour together; hatched when we are not looking. */
export function VerdictBadge({
  verdict,
  freshness = 'live',
  detail,
  large = false,
}: {
  verdict: Verdict;
  freshness?: Freshness;
  detail?: string;
  large?: boolean;
}) {
  const loud = verdict !== 'ok';
  return (
    <span data-verdict={verdict} className={`inline-flex items-center align-middle gap-1.5 whitespace-nowrap ${freshness === 'live' ? '' : 'hatched'}`}>
      <Glyph verdict={verdict} className={large ? 'size-5' : 'size-4'} />
      <span className={loud ? 'font-bold tracking-wide text-state uppercase' : 'text-soft'}>{loud ? verdict : 'ok'}</span>
      {detail ? <span className="text-soft">{detail}</span> : null}
      {freshness === 'live' ? null : <span className="text-soft">{freshness === 'late' ? 'late data' : 'no data'}</span>}
    </span>
  );
}
