import { elapsed, percent, plural } from '@/lib/format';
import type { Citation, Evidence, Ranked } from '@/lib/model/hypothesis';
import type { StackView } from '@/lib/model/snapshot';
import { Panel } from '../ui/panel';
import { Sentence } from '../ui/sentence';
import { Time } from '../ui/time';
import { ViewLink } from '../ui/view-link';

/** What may be wrong, likeliest first, with what speaks for and against and what would settle it; while all is well, the proof of that. */
export function Hypotheses({ stack, now }: { stack: Pick<StackView, 'judgement' | 'hypotheses' | 'frontEnds' | 'lastGoodAt'>; now: number }) {
  const ranked = stack.hypotheses;
  if (stack.judgement.verdict === 'ok' && stack.judgement.freshness === 'live') return <Quiet stack={stack} now={now} />;
  const likely = ranked.filter((one) => one.probability >= WORTH_A_LINE);
  const rest = ranked.filter((one) => one.probability < WORTH_A_LINE);
  return (
    <Panel title={TITLE} aside={ASIDE} state={ranked.length > 0 ? undefined : { kind: 'empty', why: 'No suspicion has anything that speaks for it.' }}>
      {likely.length > 0 ? <List ranked={likely} opensFirst /> : null}
      {rest.length > 0 ? (
        <More
          words={likely.length > 0 ? `${rest.length} less likely` : `All ${rest.length} suspicions are unlikely: below ${percent(WORTH_A_LINE)}`}
          ranked={rest}
        />
      ) : null}
    </Panel>
  );
}

const TITLE = 'What it may be';
const ASIDE = 'probability of each by itself';

/** Quiet is a statement with its proof; what is weighed meanwhile stays behind a disclosure. */
function Quiet({ stack: { hypotheses, frontEnds, lastGoodAt }, now }: Parameters<typeof Hypotheses>[0]) {
  return (
    <Panel title={TITLE}>
      <p className="text-sm">Nothing to explain.</p>
      <p className="text-soft">
        {lastGoodAt === undefined ? (
          'No chat has been answered yet.'
        ) : (
          <>
            {frontEnds.answering} of {plural(frontEnds.of, 'front-end')} {frontEnds.answering === 1 ? 'answers' : 'answer'}. Last good answer at{' '}
            <Time at={lastGoodAt} />, {elapsed(now - lastGoodAt)} ago.
          </>
        )}
      </p>
      {hypotheses.length > 0 ? <More words={`${plural(hypotheses.length, 'suspicion')} weighed each second`} ranked={hypotheses} /> : null}
    </Panel>
  );
}

function More({ words, ranked }: { words: string; ranked: readonly Ranked[] }) {
  return (
    <details className="py-1.5">
      <summary className="min-h-6 text-soft">{words}</summary>
      <p className="text-2xs text-faint">{ASIDE}</p>
      <List ranked={ranked} opensFirst={false} />
    </details>
  );
}

/** Below this a suspicion is kept, weighed and out of the way. */
const WORTH_A_LINE = 0.05;

function List({ ranked, opensFirst }: { ranked: readonly Ranked[]; opensFirst: boolean }) {
  return (
    <ol className="grid">
      {ranked.map((one, index) => (
        <li key={one.id} className="border-b border-hairline last:border-b-0">
          <Hypothesis ranked={one} isTop={index === 0 && opensFirst} />
        </li>
      ))}
    </ol>
  );
}

function Hypothesis({ ranked, isTop }: { ranked: Ranked; isTop: boolean }) {
  const support = ranked.evidence.filter((one) => one.weight >= 0).sort((a, b) => b.weight - a.weight);
  const against = ranked.evidence.filter((one) => one.weight < 0).sort((a, b) => a.weight - b.weight);
  return (
    <details open={isTop} className="group py-1.5">
      <summary className="grid min-h-6 list-none grid-cols-[2.75rem_1fr] items-baseline gap-2 [&::-webkit-details-marker]:hidden">
        <Share probability={ranked.probability} />
        <span className={isTop ? 'text-sm leading-5 font-semibold' : 'text-soft group-open:text-ink'}>
          <Sentence text={ranked.claim} /> <span className="text-2xs font-normal text-faint">{ranked.id}</span>
          {isTop ? null : <Lost ranked={ranked} />}
        </span>
      </summary>
      <div className="mt-1 grid gap-1.5 pl-[3.25rem]">
        <Side title="speaks for" sign="+" evidence={support} />
        <Side title="speaks against" sign="−" evidence={against} />
        {ranked.evidence.length === 0 ? <p className="text-faint">Nothing speaks for or against it yet.</p> : null}
        <Sum ranked={ranked} />
        <p>
          <span className="text-faint">next: </span>
          <Sentence text={ranked.next} />
        </p>
      </div>
    </details>
  );
}

/** Why one that is not the likeliest is not: the strongest sentence against it. */
function Lost({ ranked }: { ranked: Ranked }) {
  const against = ranked.evidence.filter((one) => one.weight < 0).sort((a, b) => a.weight - b.weight)[0];
  return (
    <span className="block text-2xs font-normal text-faint group-open:hidden">
      {against ? (
        <>
          but <Sentence text={against.because} />
        </>
      ) : ranked.evidence.length === 0 ? (
        'nothing speaks for it'
      ) : (
        'too little speaks for it'
      )}
    </span>
  );
}

/** How the number came about: where it started and what was added. */
function Sum({ ranked: { prior, evidence, logOdds } }: { ranked: Ranked }) {
  const sum = (sign: 1 | -1) => evidence.reduce((all, one) => (one.weight * sign > 0 ? all + one.weight : all), 0);
  return (
    <p className="text-2xs text-faint">
      log-odds {signed(logOdds)} = {signed(prior)} beforehand, {signed(sum(1))} for, {signed(sum(-1))} against
    </p>
  );
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
}

function Share({ probability }: { probability: number }) {
  return (
    <span className="grid gap-0.5">
      <span className="text-right font-semibold">{percent(probability)}</span>
      <span aria-hidden="true" className="block h-1 bg-sunken">
        <span className="block h-1 bg-soft" style={{ width: `${probability * 100}%` }} />
      </span>
    </span>
  );
}

function Side({ title, sign, evidence }: { title: string; sign: string; evidence: readonly Evidence[] }) {
  if (evidence.length === 0) return null;
  return (
    <ul aria-label={title} className="grid gap-1">
      {evidence.map((one) => (
        <li key={one.because} className="grid grid-cols-[1rem_minmax(0,1fr)] gap-1">
          <span title={`${title}, weight ${one.weight.toFixed(1)} (log-odds)`} className="text-center font-bold text-soft">
            {sign}
          </span>
          <span>
            <Sentence text={one.because} />
            {one.cites.map((cite) => (
              <Cite key={keyOf(cite)} cite={cite} />
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A citation as a link to the raw record behind a sentence: a series at the moment of the reading, and the rest as it is. */
function Cite({ cite }: { cite: Citation }) {
  const { path, words } = recordOf(cite);
  return (
    <>
      {' '}
      <ViewLink
        path={path}
        {...(cite.kind === 'series' ? { change: { t: new Date(cite.at).toISOString() } } : {})}
        className="link text-2xs text-soft"
        title={keyOf(cite)}
      >
        {words}
      </ViewLink>
    </>
  );
}

function recordOf(cite: Citation): { path: string; words: string } {
  if (cite.kind === 'probe') return { path: `/probes/${encodeURIComponent(cite.id)}`, words: 'probe' };
  if (cite.kind === 'self') return { path: '/api/healthz', words: 'our pulse' };
  const node = `/targets/${encodeURIComponent(cite.target)}`;
  return cite.kind === 'series' ? { path: `${node}#${encodeURIComponent(cite.key)}`, words: 'series' } : { path: node, words: 'node' };
}

function keyOf(cite: Citation): string {
  if (cite.kind === 'probe') return `probe ${cite.id}`;
  if (cite.kind === 'self') return 'our own loops';
  return cite.kind === 'series' ? `${cite.target} ${cite.key}` : `node ${cite.target}`;
}
