/** One HTTP request to make. Header values and body may hold secrets: a RequestSpec is never stored or published. */
export type RequestSpec = {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** PEM text of a private CA to trust besides the system's. */
  ca?: string;
};

/** Stations of one HTTP exchange in their order; each is stamped when first reached. */
export const MARKS = ['resolved', 'connected', 'secured', 'sent', 'headers', 'firstByte', 'firstEvent', 'firstToken', 'end'] as const;
export type Mark = (typeof MARKS)[number];

/** Milliseconds since the exchange began, on a monotonic clock; an absent mark was never reached. */
export type Marks = Partial<Record<Mark, number>>;

/** How an exchange broke before the server ended it properly. `cap`: we closed it at the hard cap or byte cap; `closed-by-us`: heal probe, cancel or shutdown. */
export type Failure = 'dns' | 'refused' | 'connect-timeout' | 'unreachable' | 'tls' | 'reset' | 'protocol' | 'too-big' | 'cap' | 'closed-by-us';

/** One HTTP exchange, readable at any moment before it ends. Durations in ms, monotonic; `at` is wall-clock ms since epoch. */
export type Exchange = {
  at: number;
  marks: Marks;
  /** ms since start at the moment of reading. */
  elapsedMs: number;
  ended: boolean;
  status?: number;
  /** Response headers worth keeping (content-type, x-request-id, server, location, retry-after, x-smg-error-code), values cut at 200 characters. */
  headers: Record<string, string>;
  /** Body bytes received. */
  bytes: number;
  /** Bytes received on the socket incl. header; 0 = "zero bytes". */
  socketBytes: number;
  /** First 2 KiB of the body, as text, control characters replaced. */
  head: string;
  /** Last 500 characters of the body when longer than `head`. */
  tail?: string;
  failure?: Failure;
  /** The error's own words (ECONNREFUSED...), cut at 200 characters. */
  detail?: string;
};

/** The last station reached, or undefined when not even the name was resolved. */
export function furthest(marks: Marks): Mark | undefined {
  return [...MARKS].reverse().find((mark) => marks[mark] !== undefined);
}

/** Consecutive spans between reached marks, for a phase bar: `[{ from, to, ms }]`. */
export function phases(marks: Marks): { from: Mark | 'start'; to: Mark; ms: number }[] {
  const reached = MARKS.filter((mark) => marks[mark] !== undefined).sort((a, b) => (marks[a] ?? 0) - (marks[b] ?? 0));
  let before: Mark | 'start' = 'start';
  let at = 0;
  return reached.map((mark) => {
    const to = marks[mark] ?? at;
    const span = { from: before, to: mark, ms: to - at };
    before = mark;
    at = to;
    return span;
  });
}
