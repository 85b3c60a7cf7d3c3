import { describe, expect, it } from 'vitest';
import { bytes, clockTime, count, cut, dateTime, duration, elapsed, hostPort, shortAddress } from './format';

describe('words for numbers', () => {
  it.each([
    [0, '0 ms'],
    [640, '640 ms'],
    [8_000, '8.0 s'],
    [9_960, '10 s'],
    [34_400, '34 s'],
    [131_000, '2 m 11 s'],
    [3 * 3_600_000 + 5 * 60_000, '3 h 05 m'],
    [52 * 3_600_000, '2 d 4 h'],
    [Number.NaN, 'n/a'],
  ])('%d ms is %s', (ms, words) => expect(duration(ms)).toBe(words));

  it('counts up in whole seconds and never shows 60 of them', () => {
    expect([elapsed(0), elapsed(999), elapsed(59_600), elapsed(119_700), elapsed(-5)]).toEqual(['0 s', '1 s', '1 m 00 s', '2 m 00 s', '0 s']);
  });

  it('tells absent from zero', () => {
    expect([count(null), count(undefined), count(0), count(0.426), count(412.44), count(12_345), count(23_400_000)]).toEqual([
      'n/a',
      'n/a',
      '0',
      '0.43',
      '412.4',
      '12,345',
      '23.4 M',
    ]);
  });

  it('has a unit for bytes', () => expect([bytes(0), bytes(1_423), bytes(3_000_000)]).toEqual(['0 B', '1.4 kB', '3.0 MB']));
});

describe('words for moments', () => {
  const at = Date.UTC(2026, 11, 1, 4, 3, 2);
  it('writes the clock in UTC as asked', () => expect([clockTime(at, 'utc'), dateTime(at, 'utc')]).toEqual(['04:03:02', '2026-12-01 04:03:02']));
  it('does not invent a time for an unreadable moment', () => expect(clockTime(Number.NaN, 'utc')).toBe('n/a'));
});

describe('foreign text', () => {
  it('is cut with a mark', () => expect([cut('abc', 3), cut('abcdef', 4)]).toEqual(['abc', 'abc…']));
  it('gives the address of a URL, and itself when it is none', () => {
    expect([hostPort('http://127.0.0.1:30001/v1'), hostPort('nonsense'), shortAddress('http://10.0.0.7:30002'), shortAddress('https://llm.example/')]).toEqual([
      '127.0.0.1:30001',
      'nonsense',
      ':30002',
      'llm.example',
    ]);
  });
});
