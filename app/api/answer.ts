/** A refusal with its status and one sentence for a person: what was asked, why not, what to do. Known by `name`, since classes have more than one self. */
export type Refusal = Error & { name: 'Refusal'; status: number; headers?: Record<string, string> };

export function refusal(status: number, sentence: string, headers?: Record<string, string>): Refusal {
  return Object.assign(new Error(sentence), { name: 'Refusal' as const, status, ...(headers === undefined ? {} : { headers }) });
}

/** Our JSON; never cached, since it is about now. */
export function answer(body: unknown, init: { status?: number; headers?: Record<string, string> } = {}): Response {
  return Response.json(body, { status: init.status ?? 200, headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...init.headers } });
}

type Handler<Context> = (request: Request, context: Context) => Response | Promise<Response>;

/** A route whose refusals become `{ error }` with their status; our own trouble with the disk is 503, anything else that we did wrong 500. */
export function handled<Context = unknown>(work: Handler<Context>): Handler<Context> {
  return async (request, context) => {
    try {
      return await work(request, context);
    } catch (error) {
      if (isRefusal(error)) return answer({ error: error.message }, error);
      const words = error instanceof Error ? error.message : String(error);
      console.error(`wedgewatch: ${request.method} ${new URL(request.url).pathname}: ${words}`);
      if (error instanceof Error && error.name.startsWith('Store')) return answer({ error: words }, { status: 503 });
      return answer({ error: 'Wedgewatch failed to answer this by a fault of its own; its log says why.' }, { status: 500 });
    }
  };
}

/** Other people's text inside a sentence of ours: short, on one line, in quotes. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text);
}

/** A value of a body as it was written, for a sentence; what is nested too deeply to be written again is named so. */
export function written(value: unknown): string {
  try {
    return quoted(String(JSON.stringify(value)));
  } catch {
    return 'what is nested so deeply';
  }
}

function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && error.name === 'Refusal' && 'status' in error;
}

/** The collector's refusal of a command: the state it is in does not allow it. */
export function declined(words: string): Refusal {
  return refusal(409, `The collector declines: ${words.replace(/\.$/, '')}.`);
}
