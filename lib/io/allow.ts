/** Paths a monitor may GET; nothing here acts. `control`: answered by a scheduler, so one at a time and rarely. */
const GETS: Readonly<Record<string, 'free' | 'job' | 'control'>> = {
  '/health': 'job',
  '/health_generate': 'job',
  '/healthz': 'free',
  '/healthcheck': 'free',
  '/status': 'free',
  '/ready': 'free',
  '/readyz': 'free',
  '/readiness': 'free',
  '/liveness': 'free',
  '/ping': 'free',
  '/version': 'free',
  '/load': 'free',
  '/metrics': 'free',
  '/v1/models': 'free',
  '/model_info': 'free',
  '/get_model_info': 'free',
  '/workers': 'free',
  '/v1/loads': 'control',
  '/server_info': 'control',
  '/get_server_info': 'control',
};

const POSTS: ReadonlySet<string> = new Set(['/v1/chat/completions']);

/**
 * Whether we may ever send this to a target. Everything else is refused before a socket is opened: on SGLang a plain GET of `/flush_cache`,
 * `/start_profile` or `/release_memory_occupation` acts (SGLang's sources). A target may live under a path prefix, so the path's end decides.
 */
export function isAllowed(method: string, path: string): boolean {
  const asked = plainPath(path);
  if (asked === undefined) return false;
  if (method === 'GET') return Object.keys(GETS).some((known) => isUnder(asked, known));
  return method === 'POST' && [...POSTS].some((known) => isUnder(asked, known));
}

/** Whether answering this costs the scheduler a turn and may never return while it is wedged. */
export function isControlCall(path: string): boolean {
  const asked = plainPath(path);
  return asked !== undefined && Object.entries(GETS).some(([known, cost]) => cost === 'control' && isUnder(asked, known));
}

function isUnder(asked: string, known: string): boolean {
  return asked === known || (asked.endsWith(known) && /^(\/[\w.~-]+)+$/.test(asked.slice(0, -known.length)));
}

/** Path without query; undefined for anything that a server might read as another path (escapes, dots, doubled slashes). */
function plainPath(path: string): string | undefined {
  const bare = path.split(/[?#]/, 1)[0] ?? '';
  return /^\/[\w./~-]*$/.test(bare) && !/\/\.{1,2}(\/|$)|\/\//.test(bare) ? bare : undefined;
}
