import { duration } from '@/lib/format';
import type { ProbeDot } from '@/lib/model/snapshot';
import { CopyCurl } from '../probe/copy-curl';
import { ageOf, lookOf, outcomeWords } from '../topology/probe-words';
import { Glyph } from '../ui/glyph';
import { Num } from '../ui/number';
import { type Column, Table } from '../ui/table';
import { Time } from '../ui/time';
import { ViewLink } from '../ui/view-link';

/** The strip in words, newest first. */
export function ProbeTable({ dots, name, now }: { dots: readonly ProbeDot[]; name: string; now: number }) {
  if (dots.length === 0) return null;
  return <Table caption={`Recent probes of ${name}, newest first`} rows={dots} rowKey={(dot) => dot.id} columns={columns(now)} />;
}

function columns(now: number): Column<ProbeDot>[] {
  return [
    {
      title: 'sent',
      sort: (dot) => dot.at,
      cell: (dot) => (
        <ViewLink path={`/probes/${encodeURIComponent(dot.id)}`} className="link inline-flex min-h-6 items-center">
          <Time at={dot.at} />
        </ViewLink>
      ),
    },
    { title: 'what came', cell: (dot) => <Came dot={dot} /> },
    {
      title: 'first token',
      sort: (dot) => dot.ttftMs ?? Number.MAX_VALUE,
      isNumber: true,
      cell: (dot) =>
        dot.ttftMs === undefined ? (
          <span className="text-faint">none</span>
        ) : (
          <Num text={duration(dot.ttftMs)} isInTable>
            {duration(dot.ttftMs)}
          </Num>
        ),
    },
    {
      title: 'took',
      sort: (dot) => ageOf(dot, now),
      isNumber: true,
      cell: (dot) => (
        <>
          <Num text={duration(ageOf(dot, now))} isInTable>
            {duration(ageOf(dot, now))}
          </Num>
          {dot.ended ? '' : ' so far'}
        </>
      ),
    },
    { title: 'why sent', cell: (dot) => <span className="text-soft">{WHY[dot.purpose]}</span>, isWide: true },
    { title: 'by hand', cell: (dot) => <CopyCurl probe={dot.id} of={`probe ${dot.id}`} />, isWide: true },
  ];
}

function Came({ dot }: { dot: ProbeDot }) {
  const look = lookOf(dot);
  return (
    <span className="inline-flex items-center gap-1.5">
      <Glyph verdict={look === 'pending' ? 'ok' : look} hollow={look === 'pending'} />
      <span className={look === 'hanging' || look === 'down' ? 'font-semibold' : ''}>{outcomeWords(dot)}</span>
      {dot.late && dot.outcome === 'ok' ? <span className="text-soft">late</span> : null}
    </span>
  );
}

const WHY: Record<ProbeDot['purpose'], string> = { steady: 'steady', confirm: 'second witness', heal: 'to see whether it healed', experiment: 'experiment' };
