/** Stable, URL-safe name of a target: `<stack>.<name>`, slugged. */
export type TargetId = string;

/** What a target does in the stack. `router` and `balancer` take chats from users; the others do the work. */
export type Role = 'router' | 'balancer' | 'prefill' | 'decode' | 'unified' | 'unknown';

/** The serving software behind a URL, as its dialect names it; `dummy` is a node-rank > 0 health server, `not-llm` anything else that answers. */
export type Kind = 'sglang' | 'sglang-router' | 'mini-lb' | 'vllm' | 'vllm-router' | 'vllm-proxy' | 'openai' | 'dummy' | 'not-llm' | 'unknown';

/** How a node or an edge is known, most trusted first; each is shown with what it says. */
export type Provenance = 'config' | 'fingerprint' | 'workers' | 'server-info' | 'cmdline' | 'inferred';

/** A thing we watch, without any secret: safe to store, publish and show. */
export type Target = {
  id: TargetId;
  stack: string;
  name: string;
  /** Origin with optional path prefix, no trailing slash, no credentials: `http://127.0.0.1:30001`. */
  url: string;
  kind: Kind;
  role: Role;
  /** Model id to probe with when the configuration fixes one; absent: the front-end's own first id. */
  model?: string;
  /** Where its metrics page is, when not at `<url>/metrics`. */
  metricsUrl?: string;
  /** How each thing is known, one entry per source. */
  known: Provenance[];
  /** False when this target is only looked at, never sent a chat. */
  probed: boolean;
  version?: string;
  /** Process id and command line, secrets replaced, when found on this host. */
  pid?: number;
  cmdline?: string;
};

export function isFrontEnd(target: Pick<Target, 'role'>): boolean {
  return target.role === 'router' || target.role === 'balancer';
}

/** True for targets that are sent synthetic chats: front-ends, and engines that serve users directly. */
export function takesChats(target: Pick<Target, 'role' | 'kind'>): boolean {
  return isFrontEnd(target) || target.role === 'unified';
}
