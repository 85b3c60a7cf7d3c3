import type { ExperimentCell, ExperimentTry } from '@/lib/model/experiment';
import { counted, isGood, isHang, isPatchy, isPlain, type Shown, shownBy } from './shown';

/** What the experiment showed of one front-end. */
export type Front = {
  id: string;
  /** Its own id, as users ask; `untried` when no try counts. */
  own: Shown;
  /** Own and siblings' ids, as users ask: no answer, and at least one hang with its own. */
  isStuck: boolean;
  /** Tries with real ids, as users ask. */
  real: ExperimentTry[];
  /** Every try that counts, but for foreign ids that are refused on purpose. */
  samples: ExperimentTry[];
  /** Some question hung at one time and was answered at another. */
  isPatchy: boolean;
  /** Tries that failed fast although the same question was answered at another time, or in another way. */
  failedToo: ExperimentTry[];
  foreign: { cell: ExperimentCell; shown: Shown }[];
  whole: Shown;
  long: Shown;
  /** Why its own id was not answered, when it failed fast: the last such try. */
  failure?: ExperimentTry;
};

/** The matrix by front-end, in its order. */
export function frontsOf(cells: readonly ExperimentCell[]): Front[] {
  return [...new Set(cells.map((cell) => cell.target))].map((id) =>
    frontOf(
      id,
      cells.filter((cell) => cell.target === id),
    ),
  );
}

function frontOf(id: string, cells: readonly ExperimentCell[]): Front {
  const plain = cells.filter(isPlain);
  const own = plain.filter((cell) => cell.whose === 'own');
  const ownTries = own.flatMap(counted);
  const shown = shownBy({ tries: ownTries });
  // a foreign id that is refused fast is no user's request that got lost
  const real = plain.filter((cell) => cell.whose === 'own' || (cell.whose === 'sibling' && shownBy(cell) !== 'refuses')).flatMap(counted);
  const samples = cells.filter((cell) => cell.whose === 'own' || shownBy(cell) !== 'refuses').flatMap(counted);
  const failure = ownTries.findLast((one) => !isGood(one) && !isHang(one));
  return {
    id,
    own: shown,
    isStuck: shown === 'hangs' && !real.some(isGood),
    real,
    samples,
    isPatchy: cells.some(isPatchy),
    failedToo: samples.some(isGood) ? samples.filter((one) => !isGood(one) && !isHang(one)) : [],
    foreign: plain.filter((cell) => cell.whose !== 'own').map((cell) => ({ cell, shown: shownBy(cell) })),
    whole: shownBy({ tries: cells.filter((cell) => cell.stream === false && cell.prompt === undefined).flatMap(counted) }),
    long: shownBy({ tries: cells.filter((cell) => cell.prompt === 'long').flatMap(counted) }),
    ...(failure === undefined ? {} : { failure }),
  };
}
