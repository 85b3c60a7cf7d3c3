import type { Sample, SeriesName } from './sample';
import type { Kind, Role, Target } from './target';
import type { ListedWorker } from './topology';

/** One short GET as the dialects see it; `failure` when no HTTP answer came. */
export type Answer = { path: string; status?: number; contentType?: string; headers?: Record<string, string>; body?: string; failure?: string; tookMs: number };

/** What the fingerprint questions brought, by path. */
export type Answers = Readonly<Record<string, Answer | undefined>>;

/** How a health URL answered and what is known of the build behind it: names of the series that it exports. */
export type HealthSeen = { path: string; status?: number; tookMs?: number; exports: ReadonlySet<SeriesName> };

/** Which code answers a health URL, and what that very answer proves. */
export type HealthReading = { by: string; proves: string };

/** A health URL that people and load balancers believe and that we do not ask in steady state: known from the questions of discovery, or not asked at all and why. */
export type OtherHealth = { path: string; notAsked?: string };

/** What all dialects together know of a software, as far as a judge of its words needs it. */
export type Software = {
  reads(kind: Kind, seen: HealthSeen): HealthReading;
  otherHealth(kind: Kind): readonly OtherHealth[];
  /** Every meaning that this software is known to export in some version. */
  meanings(kind: Kind): readonly SeriesName[];
};

/** What a command line tells of a server; `port` where it will listen; `cmdline` with secrets replaced. */
export type CmdlineFinding = {
  kind: Kind;
  role: Role;
  host?: string;
  port?: number;
  metricsPort?: number;
  model?: string;
  workers: ListedWorker[];
  nodeRank?: number;
};

/** A member of the dialect set: how one serving software speaks. Pure; foreign payloads come in as text or `unknown` and are read tolerantly. */
export type Dialect = {
  kind: Kind;
  /** Name as engineers write it: "SGLang", "SGLang gateway". */
  title: string;
  /** Health URLs to ask in steady state, the most telling first; `proves` is one sentence on what a 200 there means. */
  health: { path: string; proves: string; slowByDesign?: boolean }[];
  /** Further health URLs of this software, for the truth table. */
  otherHealth?: OtherHealth[];
  /** Which code answers a health URL, told by how it answered; undefined where nothing more than `proves` is known. */
  reads?(seen: HealthSeen): HealthReading | undefined;
  /** Meanings that some version of it exports. */
  meanings?: readonly SeriesName[];
  /** Recognise by answers to the fingerprint questions. `certainty` 0..1; undefined = not mine. Source of each rule in a comment. */
  recognise(answers: Answers): { certainty: number; role: Role; version?: string; why: string } | undefined;
  /** Recognise by argv of a process on this host. */
  cmdline(argv: readonly string[]): CmdlineFinding | undefined;
  /** Where its metrics page may be, most likely first. */
  metricsUrls(target: Pick<Target, 'url' | 'metricsUrl'>): string[];
  /** Read a metrics page into canonical samples. */
  metrics(page: string): Sample[];
  /** Read `/v1/loads` (only builds whose entries carry timestamps are polled); undefined when this is the asking kind. */
  loads?(body: unknown): Sample[] | undefined;
  /** Read the asking kind of `/v1/loads`, which only a turning scheduler answers; used in diagnosis alone. */
  asked?(body: unknown): Sample[];
  /** Model ids from `/v1/models`; throws nothing: an unreadable list is []. */
  models(body: unknown): string[];
  /** Workers from this software's own list. */
  workers?(body: unknown): ListedWorker[];
  /** Path of that list, asked rarely; `control` = answered by a scheduler, so one at a time and never repeated while out. */
  workersPath?: { path: string; control: boolean };
};
