import type { Hypothesis } from '@/lib/model/hypothesis';
import { ghostsOf, heartbeatCite, names, probeCite, readCase, topologyCite, when } from '@/lib/reading/case';

export const ghostWorker: Hypothesis = {
  claim: 'A front-end still sends to a worker that is no longer there.',
  prior: -2.8,
  implies: { verdict: 'hanging', place: 'router path' },
  weigh(window) {
    const c = readCase(window);
    const haunted = c.fronts.flatMap((f) => {
      const ghosts = ghostsOf(window, c, f.target.id);
      return ghosts.length > 0 ? [{ ...f, ghosts }] : [];
    });
    const first = haunted[0];
    const sure = first?.ghosts.some((w) => w.isRefused) ?? false;
    const mixed = haunted.filter((f) => f.counted.some((x) => x.is === 'good') && f.counted.some((x) => x.is === 'silent' || x.is === 'failed'));
    const spared = c.well.filter((f) => !haunted.some((h) => h.target.id === f.target.id));
    const told = c.fronts.filter((f) => window.workers(f.target.id) !== undefined);
    return [
      ...when(
        first !== undefined,
        sure ? 3 : 2.2,
        `${first?.target.name} lists ${first?.ghosts.length} of ${window.workers(first?.target.id ?? '')?.length} workers ${
          sure ? 'at an address where nobody answers' : 'at an address that nobody here knows'
        }: ${first?.ghosts[0]?.url}`,
        haunted.flatMap((f) => topologyCite(f.target.id)),
      ),
      ...when(
        mixed.length > 0,
        1.5,
        `${names(mixed)} answers some chats and not others, as a turn over its workers would`,
        mixed.flatMap((f) => [...probeCite(f.lastGood), ...probeCite(f.counted.find((x) => x.is === 'silent' || x.is === 'failed')?.p)]),
      ),
      ...when(
        haunted.length > 0 && spared.length > 0,
        0.8,
        `${names(spared)}, which does not list it, answers`,
        spared.flatMap((f) => probeCite(f.newest?.p)),
      ),
      ...when(
        told.length > 0 && haunted.length === 0,
        -4,
        `every worker that ${names(told)} lists answers us`,
        told.flatMap((f) => topologyCite(f.target.id)),
      ),
      ...when(
        told.length === 0,
        -1,
        'no front-end tells its workers, so this cannot be seen',
        c.fronts.flatMap((f) => topologyCite(f.target.id)),
      ),
      ...when(
        c.stands.length > 0,
        -2.5,
        `the scheduler of ${names(c.stands)}, which is there, stands`,
        c.stands.flatMap((e) => heartbeatCite(window, e)),
      ),
      ...when(
        mixed.length === 0 && c.fronts.every((f) => f.badRun.length === 0) && c.well.length > 0,
        -3,
        'every chat is answered',
        c.well.filter((f) => first === undefined || !spared.includes(f)).flatMap((f) => probeCite(f.newest?.p)),
      ),
    ];
  },
  next: (window) => {
    const c = readCase(window);
    const url = c.fronts.flatMap((f) => ghostsOf(window, c, f.target.id))[0]?.url;
    return url === undefined
      ? "Compare each front-end's worker list with what runs."
      : `From the front-end's own host: curl -m 3 ${url}/v1/models. If nobody answers, take that worker out of the front-end.`;
  },
};
