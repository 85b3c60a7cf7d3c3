import type { HealthReading, HealthSeen } from '@/lib/model/dialect';

/** The check looks once a second for a message of the scheduler: what answers sooner is another code (SGLang's sources; seen running 0.5.23). */
const CHECK_MS = 800;
const GAVE_UP_MS = 15_000;

/** Which code of SGLang answers a health URL, told by its latency and by what else the build exports. */
export function readSglangHealth({ path, status, tookMs = 0, exports }: HealthSeen): HealthReading | undefined {
  if (path === '/ping') return pingOf(status, exports.has('loads_age_seconds'));
  if (path !== '/health') return undefined;
  if (status === 200)
    return tookMs >= CHECK_MS
      ? {
          by: 'the generation check: a one-token job over a fake KV hand-over',
          proves: 'Some rank sent some message within the time: no KV transfer is touched, on decode no forward pass runs, and any other reply passes it too.',
        }
      : {
          by: 'the plain handler: the generation check is switched off, or the build is older than August 2025',
          proves: 'The HTTP process answers. The scheduler was not asked.',
        };
  if (status === 503)
    return tookMs >= GAVE_UP_MS
      ? { by: 'the generation check, which gave up', proves: 'No message of the scheduler for 20 s: it stands, or one step takes that long.' }
      : { by: 'the start-up or shutdown state', proves: 'It does not take requests yet, or no longer. No check was run.' };
  return status === undefined
    ? { by: 'nobody yet', proves: 'Nothing: the check waits up to 20 s for its scheduler, or the HTTP process is blocked.' }
    : undefined;
}

function pingOf(status: number | undefined, isNewer: boolean): HealthReading | undefined {
  if (status === 200)
    return {
      by: isNewer ? 'the HTTP process, by the outcome of the last /health' : 'the HTTP process',
      proves: isNewer
        ? 'No /health call has failed since the last that passed. It is never a first witness.'
        : 'The HTTP process answers. Nobody else was asked.',
    };
  if (status === 503) return { by: 'the HTTP process, by the outcome of the last /health', proves: 'The last /health call failed.' };
  return status === 401 ? { by: 'the key check', proves: 'A key is wanted; /health and /metrics are open without one.' } : undefined;
}
