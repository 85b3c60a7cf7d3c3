import { type Ask, type Found, findStack } from '../find';
import { realClock } from '../io/clock';
import { type PageReader, pageReader } from '../io/page';
import { listProcesses } from '../io/proc';

const TIMEOUT_MS = 4_000;
const BYTE_CAP = 4 * 1024 * 1024;

/** Looks for a stack among the processes of this host; our own family is no part of it. */
export async function searchHost(root = '/proc'): Promise<Found> {
  const pages = pageReader(realClock());
  try {
    return await findStack(
      listProcesses(root).filter(({ pid }) => pid !== process.pid && pid !== process.ppid),
      asking(pages),
    );
  } finally {
    await pages.close();
  }
}

function asking(pages: PageReader): Ask {
  return async (url, path) => {
    const page = await pages.read(url + path, { timeoutMs: TIMEOUT_MS, byteCap: BYTE_CAP, headers: { 'user-agent': 'wedgewatch' } });
    const { outcome, status, contentType, headers, body, tookMs, detail } = page;
    if (status === undefined || (outcome !== 'ok' && outcome !== 'status' && outcome !== 'redirected'))
      return { path, tookMs, failure: [outcome, detail].filter(Boolean).join(': ') };
    return { path, status, headers, body, tookMs, ...(contentType === undefined ? {} : { contentType }) };
  };
}
