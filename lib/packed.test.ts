import { describe, expect, it } from 'vitest';
import { samples } from '@/components/samples/snapshots';
import { randomFrom } from '@/lib/stores/random';
import { type Json, pack, unpack } from './packed';

const whole = (value: Json) => unpack(JSON.parse(JSON.stringify(pack(value))));

/** Random JSON with the strings and numbers that the packing itself uses as marks. */
function random(next: () => number, depth = 0): Json {
  const pick = Math.floor(next() * (depth > 4 ? 5 : 7));
  if (pick === 0) return null;
  if (pick === 1) return next() < 0.5;
  if (pick === 2) return next() < 0.5 ? Math.floor(1.7e12 + next() * 1e6) : next() * 100 - 50;
  if (pick <= 4)
    return ['~0', '@5', '!x', '', 'hanging', 'hanging', '__proto__', 'a\nb', '~', 'zero-bytes', '+', '-', '-5', '++'][Math.floor(next() * 14)] ?? '';
  const items = Array.from({ length: Math.floor(next() * 5) }, () => random(next, depth + 1));
  return pick === 5 ? items : Object.fromEntries(items.map((item, i) => [['verdict', 'at', 'name', 'x\ny', 'since'][i] ?? 'k', item]));
}

describe('a packed frame', () => {
  it('unpacks to the very value, whatever it holds', () => {
    const next = randomFrom(7);
    for (let i = 0; i < 500; i++) {
      const value = random(next);
      expect(whole(value)).toEqual(value);
    }
  });

  it('keeps every sample snapshot, in much less room', () => {
    for (const snapshot of Object.values(samples)) {
      const value = JSON.parse(JSON.stringify(snapshot)) as Json;
      expect(whole(value)).toEqual(value);
      expect(JSON.stringify(pack(value)).length).toBeLessThan(JSON.stringify(value).length * 0.7);
    }
  });
});
