import { describe, expect, it } from 'vitest';
import { samples } from '@/components/samples/snapshots';
import { readFrame } from '@/lib/client/live';
import type { Snapshot } from '@/lib/model/snapshot';
import { frameKeeper } from './frames';

const at = 1_800_000_000_000;
const frameOf = (second: number) => ({ ...structuredClone(samples.hanging), at: at + second * 1_000, tick: second });
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes).replace(/^data: |\n\n$/g, '');

/** A tab that draws what it is told, and may be too slow for a while. */
function tab() {
  const seen: Uint8Array[] = [];
  const self = {
    isSlow: false,
    shown: undefined as Snapshot | undefined,
    seen,
    closed() {},
    frame(bytes: Uint8Array) {
      if (self.isSlow) return false;
      seen.push(bytes);
      self.shown = readFrame(text(bytes), self.shown);
      return true;
    },
  };
  return self;
}

describe('the frames of our own pages', () => {
  it('are whole once and then what has changed, and show the very snapshot each second', () => {
    const frames = frameKeeper();
    const mine = tab();
    frames.take(JSON.stringify(frameOf(0)));
    frames.subscribe(mine, 'packed');
    for (let second = 1; second <= 20; second++) {
      frames.take(JSON.stringify(frameOf(second)));
      expect(mine.shown).toEqual(JSON.parse(JSON.stringify(frameOf(second))));
    }
    const [whole, ...changes] = mine.seen.map((bytes) => bytes.length);
    expect(Math.max(...changes)).toBeLessThan((whole ?? 0) / 10);
  });

  it('begin anew with a whole one for a reader that let one go', () => {
    const frames = frameKeeper();
    const slow = tab();
    const quick = tab();
    for (const reader of [slow, quick]) frames.subscribe(reader, 'packed');
    for (let second = 0; second <= 9; second++) {
      slow.isSlow = second >= 3 && second <= 5;
      frames.take(JSON.stringify(frameOf(second)));
    }
    expect(slow.shown).toEqual(quick.shown);
    expect(text(slow.seen[3])).toContain('"body"');
    expect(text(slow.seen[4])).toContain('"change"');
  });

  it('are whole each second for readers from outside', () => {
    const frames = frameKeeper();
    const outside: string[] = [];
    frames.subscribe({ closed() {}, frame: (bytes) => outside.push(text(bytes)) > 0 });
    for (const second of [0, 1, 2]) frames.take(JSON.stringify(frameOf(second)));
    expect(outside.map((each) => JSON.parse(each))).toEqual([0, 1, 2].map((second) => JSON.parse(JSON.stringify(frameOf(second)))));
  });

  it('are refused by a tab that has not the frame before, which then asks anew', () => {
    const change = JSON.stringify({ since: at, change: { tick: 1 } });
    expect(readFrame(change, undefined)).toBeUndefined();
    expect(readFrame(change, frameOf(7))).toBeUndefined();
    expect(readFrame(change, frameOf(0))?.tick).toBe(1);
    expect(readFrame('{"since":', frameOf(0))).toBeUndefined();
  });
});
