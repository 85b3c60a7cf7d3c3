import type { Hypothesis } from '@/lib/model/hypothesis';
import { justRestarted, names, nothingHangs, otherwise, probeCite, readCase, seriesCite, stopped, when } from '@/lib/reading/case';

export const engineStuck: Hypothesis = {
  claim: 'An engine that is not split has stopped: it takes requests in and makes no step for them.',
  prior: -2.2,
  implies: { verdict: 'hanging', place: 'engine' },
  weigh(window) {
    const c = readCase(window);
    const whole = c.engines.filter((e) => e.target.role === 'unified');
    if (whole.length === 0) return when(true, -6, 'no undivided engine is known here');
    const stands = whole.filter((e) => e.heartbeat === 'stands');
    const stepped = whole.map((e) => ({ target: e.target, steps: window.moved(e.target.id, 'engine_steps_total', c.from) }));
    const idle = stepped.filter((e) => e.steps === 0);
    const busy = stepped.filter((e) => (e.steps ?? 0) > 0);
    const asleep = whole.filter((e) => e.isAsleep);
    const cite = (list: typeof stepped) => list.flatMap((e) => seriesCite(window, e.target.id, 'engine_steps_total'));
    return [
      ...otherwise(c),
      ...when(
        c.hung.length > 0 && c.hung.length === c.fronts.length,
        1.2,
        `${c.hung.length > 1 ? 'all that take chats hang' : 'it hangs'} (${names(c.hung)})`,
        c.hung.flatMap((f) => probeCite(f.silentRun[0])),
      ),
      ...nothingHangs(c, -4),
      ...stopped(window, stands),
      ...justRestarted(window, stands),
      ...when(
        asleep.length > 0,
        -3,
        `${names(asleep)} ${asleep.length > 1 ? 'were' : 'was'} put to sleep`,
        asleep.flatMap((e) => seriesCite(window, e.target.id, 'engine_awake')),
      ),
      ...when(
        c.hung.length > 0 && stands.length === 0 && idle.length > 0,
        3,
        `${names(idle)} made no step since our chat was sent, and counts as if nobody had asked`,
        cite(idle),
      ),
      ...when(
        c.hung.length > 0 && busy.length > 0,
        -2.5,
        `${busy.map((e) => `${e.target.name} made ${e.steps} steps`).join(', ')} while our chats hung`,
        cite(busy),
      ),
    ];
  },
  next: () =>
    'On its host: py-spy dump of VLLM::EngineCore and each VLLM::Worker (SGLang: sglang::scheduler). A stack that stands in a collective call or a kernel settles it.',
};
