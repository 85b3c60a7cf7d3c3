import type { Kind, Role, TargetId } from './target';

/** Where a secret is read from; never the secret itself. */
export type SecretRef = { env: string } | { file: string };

/** A target as configured or found. Secrets stay references here; the collector resolves them at each use. Durations in ms throughout. */
export type TargetConfig = {
  id: TargetId;
  name: string;
  url: string;
  kind?: Kind;
  role?: Role;
  model?: string;
  /** Extra request headers; values may be secret, so this type never leaves the server. */
  headers: Record<string, string>;
  apiKey?: SecretRef;
  /** Path of a PEM file. */
  ca?: string;
  metricsUrl?: string;
  timeoutMs?: number;
  /** `false`: look only, never send it a chat. */
  probe: boolean;
  /** Found on this host rather than written by the operator. */
  foundBy?: 'config' | 'cmdline' | 'port' | 'workers';
  pid?: number;
  cmdline?: string;
};

/** How chats are sent and how long they may take. */
export type ProbeConfig = {
  everyMs: number;
  jitterMs: number;
  firstTokenMs: number;
  gapMs: number;
  capMs: number;
  prompt: string;
  maxTokens: number;
  enabled: boolean;
};

/** How pages are read. */
export type ScrapeConfig = {
  everyMs: number;
  timeoutMs: number;
  loadsMs: number;
  frontEndHealthMs: number;
  engineHealthMs: number;
  engineHealthDeadlineMs: number;
  modelsMs: number;
};

/** The whole configuration, checked and with defaults filled in. */
export type Config = {
  stacks: { id: string; name: string; targets: TargetConfig[] }[];
  probe: ProbeConfig;
  scrape: ScrapeConfig;
  /** URL that must always answer; failing it means that we are blind. */
  reference?: string;
  listen: { host: string; port: number };
  /** Further names under which the page may be asked for: a proxy's, this machine's in the DNS. */
  hosts?: string[];
  /** Folder of the database. */
  data: string;
  retention: { ageMs: number; bytes: number };
  /** Called with an incident as JSON when it opens and clears. */
  webhook?: { url: string; headers: Record<string, string> };
  /** Where this came from, for messages: a file path or "this host". */
  source: string;
  /** Factor on the collector's clock, 1 except in the bench runner; every duration here and elsewhere is in told time. */
  timeScale: number;
};

/** Defaults as decided for the product; see lib/wedgewatch.example.yaml. */
export const DEFAULTS = {
  probe: {
    everyMs: 10_000,
    jitterMs: 4_000,
    firstTokenMs: 8_000,
    gapMs: 8_000,
    capMs: 600_000,
    prompt: 'Count slowly upwards from one and go on:',
    maxTokens: 6,
    enabled: true,
  },
  scrape: {
    everyMs: 5_000,
    timeoutMs: 4_000,
    loadsMs: 5_000,
    frontEndHealthMs: 10_000,
    engineHealthMs: 30_000,
    engineHealthDeadlineMs: 25_000,
    modelsMs: 30_000,
  },
  listen: { host: '127.0.0.1', port: 3030 },
  data: '.wedgewatch',
  retention: { ageMs: 7 * 24 * 3_600_000, bytes: 2 * 1024 ** 3 },
} as const;
