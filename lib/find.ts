import { parseJson } from './dialects/payload';
import { dialectOf } from './dialects/recognise';
import { redactArgv } from './dialects/redact';
import { type Ask, each, fingerprint } from './find/ask';
import { type Candidate, candidates, otherPorts, WELL_KNOWN_PORTS } from './find/candidates';
import { addressKey, type Node, nodeOf, told } from './find/node';
import { stacksOf } from './find/stacks';
import type { Process } from './io/proc';
import type { Config } from './model/config';
import type { Role } from './model/target';

export type { Ask } from './find/ask';

/** What was found on this host, and in sentences what was looked for, found and left out. */
export type Found = { stacks: Config['stacks']; sentences: string[] };

/** Looks for a stack on this host: by command lines, by the ports that their processes hold, by a few usual ports, and by what the front-ends found name as workers. */
export async function findStack(processes: readonly Process[], ask: Ask): Promise<Found> {
  const named = candidates(processes);
  const ports = new Set(named.candidates.map(({ port }) => port));
  const usual = WELL_KNOWN_PORTS.filter((port) => !ports.has(port)).map((port) => usualCandidate(processes, port));
  const first = await look([...named.candidates, ...usual], ask);
  const asked = new Set([...ports, ...WELL_KNOWN_PORTS]);
  const siblings = first.nodes.filter((node) => node.foundBy === 'port').flatMap((node) => otherPorts(processes, Number(new URL(node.url).port), asked));
  const second = await look(
    siblings.filter((one, index) => siblings.findIndex((other) => other.url === one.url) === index),
    ask,
  );
  const local = withMetrics([...first.nodes, ...second.nodes], [...first.metrics, ...second.metrics]);
  const { nodes, sentences } = await withWorkers(local, processes, ask);
  return {
    stacks: stacksOf(nodes),
    sentences: [
      `Looked at the command lines of ${processes.length} processes for SGLang, its gateway, mini_lb and vLLM, and at the ports ${WELL_KNOWN_PORTS.join(', ')} of this host.`,
      ...nodes.map((node) => `Found ${told(node)}.`),
      ...named.sentences,
      ...first.sentences,
      ...sentences,
      ...(nodes.length === 0 ? ['Found nothing that serves a model.'] : []),
    ],
  };
}

function usualCandidate(processes: readonly Process[], port: number): Candidate {
  const owner = processes.find((process) => process.ports.includes(port));
  return { url: `http://127.0.0.1:${port}`, port, foundBy: 'port', ...(owner === undefined ? {} : { pid: owner.pid }) };
}

type Looked = { nodes: Node[]; metrics: { pid?: number; url: string }[]; sentences: string[] };

async function look(all: readonly Candidate[], ask: Ask): Promise<Looked> {
  const seen = await each(all, async (candidate) => ({ candidate, print: await fingerprint(candidate.url, ask) }));
  const looked: Looked = { nodes: [], metrics: [], sentences: [] };
  for (const { candidate, print } of seen) {
    const node = nodeOf(candidate, print);
    if (typeof node !== 'string') {
      looked.nodes.push(node);
      if (print.isSilent || dialectOf(print.kind) === undefined) looked.sentences.push(`${node.url} should serve by its command line, but: ${print.why}.`);
    } else if (print.hasRouterMetrics) looked.metrics.push({ url: `${candidate.url}/metrics`, ...(candidate.pid === undefined ? {} : { pid: candidate.pid }) });
    // A further port of a process with many (bootstrap, internal) is no news, nor is a usual port with nobody behind it.
    else if (!print.isSilent && (print.kind === 'dummy' || candidate.finding?.port !== undefined || candidate.pid === undefined)) looked.sentences.push(node);
  }
  return looked;
}

/** A gateway's own page is on another port of the same process. */
function withMetrics(nodes: readonly Node[], metrics: Looked['metrics']): Node[] {
  return nodes.map((node) => {
    const page = metrics.find(({ pid }) => pid !== undefined && pid === node.pid);
    return node.kind === 'sglang-router' && node.metricsUrl === undefined && page !== undefined ? { ...node, metricsUrl: page.url } : node;
  });
}

async function withWorkers(local: readonly Node[], processes: readonly Process[], ask: Ask): Promise<{ nodes: Node[]; sentences: string[] }> {
  const sentences: string[] = [];
  const front = await each(local, async (node) => {
    const dialect = dialectOf(node.kind);
    if (dialect?.workersPath === undefined || dialect.workers === undefined || node.workers.length > 0) return node;
    const answer = await ask(node.url, dialect.workersPath.path);
    const workers = answer.status === 200 ? dialect.workers(parseJson(answer.body)) : [];
    if (workers.length === 0) sentences.push(`${dialect.title} at ${node.url} does not tell its workers (${answer.status ?? answer.failure ?? 'no answer'}).`);
    return { ...node, workers };
  });
  const listed = front.flatMap((node) => node.workers);
  const roleOf = (url: string): Role => listed.find((worker) => addressKey(worker.url) === addressKey(url) && worker.role !== 'unknown')?.role ?? 'unknown';
  const isHere = (url: string, among: readonly { url: string }[]) => among.some((one) => addressKey(one.url) === addressKey(url));
  const strangers = listed.filter(
    (worker, index) => !isHere(worker.url, front) && listed.findIndex((other) => addressKey(other.url) === addressKey(worker.url)) === index,
  );
  const added = await each(strangers, async ({ url }): Promise<Node> => {
    const print = await fingerprint(url, ask);
    return {
      url,
      kind: dialectOf(print.kind) === undefined ? 'unknown' : print.kind,
      role: print.role,
      foundBy: 'workers',
      workers: [],
      ...(print.version === undefined ? {} : { version: print.version }),
      ...ownerOf(url, processes),
    };
  });
  return { nodes: [...front, ...added].map((node) => ({ ...node, role: surer(node.role, roleOf(node.url)) })), sentences };
}

/** An older engine calls itself unified or nothing; the front-end that sends it work knows its half. */
function surer(own: Role, listed: Role): Role {
  return own === 'unknown' || (own === 'unified' && listed !== 'unknown') ? listed : own;
}

/** The process of this host behind a local address, where it can be seen. */
function ownerOf(url: string, processes: readonly Process[]): { pid?: number; cmdline?: string } {
  const [host, port] = addressKey(url).split(/[:/]/);
  const owner = host === '127.0.0.1' ? processes.find((process) => process.ports.includes(Number(port))) : undefined;
  return owner === undefined ? {} : { pid: owner.pid, cmdline: redactArgv(owner.argv) };
}
