import { dialects } from '@/lib/dialects';
import { words } from '@/lib/dialects/argv';
import { redactArgv } from '@/lib/dialects/redact';
import { urlOf } from '@/lib/dialects/web-url';
import type { Process } from '@/lib/io/proc';
import type { CmdlineFinding, Dialect } from '@/lib/model/dialect';

/** An address worth asking, and why. `finding` only where the command line tells what should answer there. */
export type Candidate = { url: string; port: number; foundBy: 'cmdline' | 'port'; pid?: number; cmdline?: string; finding?: CmdlineFinding };

/** Where the incident's stack, SGLang and vLLM listen by default. */
export const WELL_KNOWN_PORTS = [30000, 30001, 30002, 8000, 8080] as const;

const MOST_PORTS = 64;

/** Addresses to ask, from command lines; `sentences` tell what was left out and why. */
export function candidates(processes: readonly Process[]): { candidates: Candidate[]; sentences: string[] } {
  const sentences: string[] = [];
  const found = processes.flatMap((process): Candidate[] => {
    if (isSimulator(process.argv)) return process.ports.slice(0, MOST_PORTS).map((port) => candidate(process, port));
    const finding = findingOf(process.argv);
    if (finding === undefined) return [];
    if (finding.nodeRank !== undefined) {
      sentences.push(
        `Process ${process.pid} is node ${finding.nodeRank} of an engine over several machines: its health server always says 200, so it is left out.`,
      );
      return [];
    }
    const ports = portsOf(process, finding);
    if (ports.length === 0)
      sentences.push(
        `Process ${process.pid} (${title(process.argv)}) does not show on which port it listens${process.isHidden ? ': it belongs to another user' : ''}.`,
      );
    return ports.map((port) => candidate(process, port, finding));
  });
  return { candidates: distinct(found), sentences };
}

/** Every other port of a process that turned out to serve a model, though its command line said nothing. */
export function otherPorts(processes: readonly Process[], port: number, known: ReadonlySet<number>): Candidate[] {
  const owner = processes.find((process) => process.ports.includes(port));
  return owner === undefined
    ? []
    : owner.ports
        .filter((other) => !known.has(other))
        .slice(0, MOST_PORTS)
        .map((other) => candidate(owner, other));
}

function findingOf(argv: readonly string[]): CmdlineFinding | undefined {
  for (const dialect of Object.values<Dialect>(dialects)) {
    const finding = dialect.cmdline(argv);
    if (finding !== undefined) return finding;
  }
  return undefined;
}

/** Wedgewatch's own simulator: one process, many ports. */
function isSimulator(argv: readonly string[]): boolean {
  return words(argv).some((word) => /(^|\/)lib\/simulator\/main\.[mc]?[jt]s$/.test(word));
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { sglang: 30000, 'sglang-router': 30000, 'mini-lb': 8000, vllm: 8000, 'vllm-router': 8001 };

function portsOf(process: Process, finding: CmdlineFinding): number[] {
  if (finding.port !== undefined) return [finding.port];
  // A flag may sit in a --config file: what the process really listens on says more than a default.
  if (process.ports.length > 0) return process.ports.slice(0, MOST_PORTS);
  const usual = DEFAULT_PORTS[finding.kind];
  return finding.role === 'unknown' || usual === undefined ? [] : [usual];
}

function candidate(process: Process, port: number, finding?: CmdlineFinding): Candidate {
  return {
    url: urlOf(process.addresses?.[port] ?? (process.ports.includes(port) ? undefined : finding?.host), port),
    port,
    foundBy: finding === undefined ? 'port' : 'cmdline',
    pid: process.pid,
    cmdline: redactArgv(process.argv),
    ...(finding === undefined ? {} : { finding }),
  };
}

/** Forked children may still carry their parent's command line: the first at an address stands for all. */
function distinct(found: readonly Candidate[]): Candidate[] {
  return found.filter((one, index) => found.findIndex((other) => other.url === one.url) === index);
}

function title(argv: readonly string[]): string {
  return redactArgv(argv).slice(0, 60);
}
