import { cut, percent, plural } from '@/lib/format';
import type { Conclusion, ExperimentCell } from '@/lib/model/experiment';
import { wilson } from '@/lib/stats';
import { type Front, frontsOf } from './front';
import { isHang } from './shown';
import { type Draft, interval, say, sentenceList, sureOf, sureOfHangs, verb } from './wording';

type Case = { fronts: Front[]; tried: Front[]; list(fronts: readonly Front[]): string; nameOf(target: string): string };

/** What a matrix of front-ends and model ids proves, in words. `nameOf` gives a target's short name. */
export function conclude(cells: readonly ExperimentCell[], nameOf: (target: string) => string): Conclusion {
  const fronts = frontsOf(cells);
  const tried = fronts.filter((front) => front.own !== 'untried');
  const at: Case = { fronts, tried, nameOf, list: (some) => sentenceList(some.map((front) => nameOf(front.id))) };
  const draft = untried(at) ?? stuck(at) ?? patchy(at) ?? failing(at) ?? variants(at) ?? names(at) ?? quiet(at);
  const real = fronts.flatMap((front) => front.real);
  const failed = real.filter(isHang).length;
  const rate = { failed, of: real.length, ...wilson(failed, real.length) };
  const left = fronts.length - tried.length;
  const missing = left > 0 && tried.length > 0 ? ` ${plural(left, 'front-end was', 'front-ends were')} not asked: the probe budget left no room.` : '';
  return { ...draft, sentence: draft.sentence + missing, ...(real.length === 0 ? {} : { rate }) };
}

function untried({ tried }: Case): Draft | undefined {
  return tried.length > 0 ? undefined : say('untried', 'No chat could be sent within the probe budget; nothing was learnt.', 'low');
}

/** Some front-end gave no answer with its own id. */
function stuck(at: Case): Draft | undefined {
  const { tried, list } = at;
  const hung = tried.filter((front) => front.isStuck);
  if (hung.length === 0) return undefined;
  const others = tried.filter((front) => !front.isStuck);
  const who = list(hung);
  const streams = hung.every((front) => front.whole === 'answers');
  if (streams)
    return say(
      'streams-only',
      `${who} ${verb(hung, 'hangs', 'hang')} when streaming and ${verb(hung, 'answers', 'answer')} whole: the stream's way back is stuck, not the engines.`,
      sureOf(hung, isHang),
    );
  const unknown = refusalOfUnknown(at, hung);
  if (others.length === 0)
    return hung.length > 1
      ? say(
          'systemic',
          `Every front-end asked (${who}) hangs with ${namesTried(hung)}: it is neither one front-end nor the name; what they share is stuck.${unknown}`,
          sureOf(hung, isHang),
        )
      : say(
          'alone',
          `${who} hangs with ${namesTried(hung)}. With one front-end asked, the matrix alone does not tell it from what is behind it.${unknown}`,
          sureOf(hung, isHang),
        );
  const well = others.filter((front) => front.own === 'answers');
  if (well.length === others.length)
    return say(
      'one-front-end',
      `${who} ${verb(hung, 'hangs', 'hang')} with ${namesTried(hung, hung.length > 1 ? 'their' : 'its')}, ${list(well)} ${verb(well, 'answers', 'answer')}: it is ${hung.length > 1 ? 'those front-ends or their' : 'that front-end or its'} way to the engines.${unknown}`,
      sureOf([...hung, ...well], undefined),
    );
  const rest = others.map((front) => `${at.nameOf(front.id)} ${wordOf(front)}`).join(', ');
  const shared =
    well.length === 0
      ? ' None answers, each in its own way: that speaks for what they share rather than for one of them.'
      : ' No single pattern by front-end or by name.';
  return say('mixed', `${who} ${verb(hung, 'hangs', 'hang')}; ${rest}.${shared}`, 'medium');
}

/** The same question hangs at one time and is answered at another. */
function patchy(at: Case): Draft | undefined {
  const some = at.tried.filter((front) => front.isPatchy);
  if (some.length === 0) return undefined;
  const tries = some.flatMap((front) => front.samples);
  const failed = tries.filter(isHang).length;
  return say(
    'intermittent',
    `${at.list(some)} ${verb(some, 'hangs', 'hang')} now and then: ${failed} of ${plural(tries.length, 'chat')}${interval(failed, tries.length)}.`,
    failed >= 2 && tries.length >= 5 ? 'medium' : 'low',
  );
}

function failing(at: Case): Draft | undefined {
  const bad = at.tried.filter((front) => front.own !== 'answers');
  const [first] = bad;
  if (first === undefined) return undefined;
  const why = (front: Front) => cut(front.failure?.sentence ?? 'no answer', 160);
  const words =
    bad.length === 1
      ? `${at.nameOf(first.id)} fails: ${why(first)}`
      : `${bad.length === at.tried.length ? 'no front-end answers' : `${at.list(bad)} fail`}: ${bad.map((front) => `${at.nameOf(front.id)}: ${why(front)}`).join('; ')}`;
  const well = at.tried.filter((front) => front.own === 'answers');
  const others = well.length > 0 ? ` ${at.list(well)} ${verb(well, 'answers', 'answer')}.` : '';
  return say('fails', `Nothing hangs, but ${words}.${others}`, sureOf(bad, undefined));
}

/** Short streaming chats are well; others may not be. */
function variants(at: Case): Draft | undefined {
  const { tried, list } = at;
  const whole = tried.filter((front) => front.whole === 'hangs');
  if (whole.length > 0)
    return say(
      'whole-answers-only',
      `${list(whole)} ${verb(whole, 'streams', 'stream')} and ${verb(whole, 'hangs', 'hang')} when asked for a whole answer without streaming.`,
      sureOfHangs(whole.flatMap((front) => front.samples)),
    );
  const long = tried.filter((front) => front.long === 'hangs');
  return long.length === 0
    ? flaky(at)
    : say(
        'long-prompts-only',
        `${list(long)} ${verb(long, 'answers', 'answer')} short prompts and ${verb(long, 'hangs', 'hang')} on a long one.`,
        sureOfHangs(long.flatMap((front) => front.samples)),
      );
}

/** Answered with its own id, and yet some chats failed fast. */
function flaky(at: Case): Draft | undefined {
  const some = at.tried.filter((front) => front.failedToo.length > 0);
  const [first] = some.flatMap((front) => front.failedToo);
  if (first === undefined) return undefined;
  const failed = some.reduce((sum, front) => sum + front.failedToo.length, 0);
  const of = some.reduce((sum, front) => sum + front.samples.length, 0);
  return say(
    'fails',
    `Nothing hangs, but ${at.list(some)} ${verb(some, 'refuses or breaks off', 'refuse or break off')} ${failed} of ${plural(of, 'chat')}: ${cut(first.sentence, 160)}.`,
    failed >= 2 ? 'medium' : 'low',
  );
}

/** Every front-end answers to its own id; what happens with other names? */
function names(at: Case): Draft | undefined {
  const foreign = at.tried.flatMap((front) => front.foreign);
  const told = (cells: typeof foreign) => sentenceList(cells.map(({ cell }) => `${at.nameOf(cell.target)} asked for "${cut(cell.model, 60)}"`));
  const hung = foreign.filter(({ shown }) => shown === 'hangs');
  if (hung.length > 0) {
    const some = at.tried.filter((front) => hung.some(({ cell }) => cell.target === front.id));
    return say(
      'hangs-on-unknown-names',
      `${at.list(some)} ${verb(some, 'answers to its own id and hangs', 'answer to their own ids and hang')} on a name not served there (${told(hung)}): a wrong name looks like a hang.`,
      some.every(isInterleaved) ? 'high' : 'low',
    );
  }
  const refused = foreign.filter(({ cell, shown }) => cell.whose === 'sibling' && shown === 'refuses');
  if (refused.length === 0) return undefined;
  return say(
    'name',
    `Nothing hangs: every front-end answers to its own id; ${told(refused)} ${refused.length > 1 ? 'are' : 'is'} refused at once. Who gets an error has the wrong name.`,
    sureOf(at.tried, undefined),
  );
}

/** Its own id was answered again after a foreign one had hung: then it is no trouble that came and went meanwhile. */
function isInterleaved(front: Front): boolean {
  const hungAt = front.foreign.flatMap(({ cell }) => cell.tries.filter(isHang)).map(({ at = 0 }) => at);
  const goodAt = front.real.filter((one) => !isHang(one)).map(({ at = 0 }) => at);
  return Math.max(...goodAt) > Math.min(...hungAt);
}

function quiet(at: Case): Draft {
  const real = at.tried.flatMap((front) => front.real);
  const ceiling = wilson(0, real.length).high;
  const slow = real.filter((one) => one.late).length;
  const late = slow > 0 ? ` ${slow} came past the deadline.` : '';
  return say(
    'none-hangs',
    `Nothing hangs now: ${real.length} of ${plural(real.length, 'chat')} answered.${late} If something hung before, it is over or hits less than ${percent(ceiling)} of the chats (95 %).`,
    sureOf(at.tried, undefined),
  );
}

function refusalOfUnknown({ nameOf }: Case, hung: readonly Front[]): string {
  const fast = hung.filter((front) => front.foreign.some(({ cell, shown }) => cell.whose === 'nonsense' && shown === 'refuses'));
  return fast.length === 0
    ? ''
    : ` An unknown name is refused at once by ${sentenceList(fast.map((front) => nameOf(front.id)))}, so the front-end itself works.`;
}

function namesTried(hung: readonly Front[], whose: 'its' | 'their' = 'its'): string {
  const hasForeign = hung.some((front) => front.foreign.some(({ cell, shown }) => cell.whose === 'sibling' && shown === 'hangs'));
  return hasForeign ? 'every model id tried' : `${whose} own model id`;
}

function wordOf(front: Front): string {
  if (front.own === 'answers') return 'answers';
  if (front.own === 'mixed') return 'hangs now and then';
  return `fails (${cut(front.failure?.sentence ?? 'no answer', 80)})`;
}
