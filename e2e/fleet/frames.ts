import type { Page } from '@playwright/test';
import { type Fleet, fleet } from '../../lib/bench/cost/fleet';
import { detectorFor } from '../../lib/bench/cost/frame';
import type { Snapshot } from '../../lib/model/snapshot';
import { type Json, pack } from '../../lib/packed';

/** Sizes that a map is looked at in: so many front-ends, prefills and decodes. */
export const SIZES = {
  1: { frontEnds: 0, prefills: 0, decodes: 1 },
  4: { frontEnds: 2, prefills: 1, decodes: 1 },
  12: { frontEnds: 2, prefills: 4, decodes: 6 },
  31: { frontEnds: 3, prefills: 14, decodes: 14 },
  101: { frontEnds: 5, prefills: 46, decodes: 50 },
  301: { frontEnds: 11, prefills: 140, decodes: 150 },
} as const;

/** The picture of a generated stack: so many seconds after its start, and with some of its decodes standing since the middle of them. */
export function fleetPicture(size: Pick<Fleet, 'frontEnds' | 'prefills' | 'decodes'>, { seconds = 60, stands = 0 } = {}): Snapshot {
  const detector = detectorFor(1);
  const { second } = fleet({ stacks: 1, pairs: 0, ...size, wedgedFromS: stands > 0 ? seconds / 2 : Number.POSITIVE_INFINITY, stands });
  for (let s = 0; s <= seconds; s += 1) for (const observation of second(s)) detector.step(observation);
  const picture = detector.snapshot();
  if (!picture) throw new Error('the detector shows nothing');
  return picture;
}

/** Lets a page see these pictures instead of its server's, one each time that it connects. */
export async function feed(page: Page, next: () => Snapshot): Promise<void> {
  await page.route('**/api/stream*', (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: `data: ${JSON.stringify(pack(next() as unknown as Json))}\n\n` }),
  );
}
