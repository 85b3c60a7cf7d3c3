import { describe, expect, it } from 'vitest';
import { bytes, clockTime, count, cut, dateTime, duration, elapsed, hostPort, percent, plural, rate, shortAddress } from './format';

describe('format', () => {
  it.each([
    [0, '0 ms'],
    [850.4, '850 ms'],
    [999.6, '1.0 s'],
    [8000, '8.0 s'],
    [9949, '9.9 s'],
    [9950, '10 s'],
    [59_600, '1 m 00 s'],
    [131_000, '2 m 11 s'],
    [3_599_600, '1 h 00 m'],
    [11_040_000, '3 h 04 m'],
    [187_200_000, '2 d 4 h'],
    [-5, '0 ms'],
    [Number.NaN, 'n/a'],
  ])('spells %d ms as %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  it('counts up in whole seconds and never shows 60 of them', () => {
    expect([400, 1400, 34_000, 59_600, 119_700, -5].map(elapsed)).toEqual(['0 s', '1 s', '34 s', '1 m 00 s', '2 m 00 s', '0 s']);
  });

  it.each([
    [undefined, 'n/a'],
    [null, 'n/a'],
    [Number.NaN, 'n/a'],
    [0, '0'],
    [0.4321, '0.43'],
    [12.54, '12.5'],
    [41, '41'],
    [12_345, '12,345'],
    [-1234567, '-1,234,567'],
    [12_345_678, '12.3 M'],
  ])('spells the value %s as %s', (value, text) => {
    expect(count(value)).toBe(text);
  });

  it('has words agree with their number', () => {
    expect([plural(1, 'probe'), plural(0, 'probe'), plural(2, 'reply', 'replies')]).toEqual(['1 probe', '0 probes', '2 replies']);
  });

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [1400, '1.4 kB'],
    [999_960, '1.0 MB'],
    [2e9, '2.0 GB'],
    [5e15, '5000.0 TB'],
  ])('spells %d bytes as %s', (size, text) => {
    expect(bytes(size)).toBe(text);
  });

  it('never rounds a share to all or nothing', () => {
    expect([0, 0.001, 0.41, 0.999, 1].map(percent)).toEqual(['0 %', '< 1 %', '41 %', '> 99 %', '100 %']);
  });

  it('tells a rate with its number and interval', () => {
    expect(rate({ failed: 7, of: 7, low: 0.646, high: 1 })).toBe('7 of 7 (95 %: 65–100 %)');
    expect(rate({ failed: 0, of: 0, low: 0, high: 1 })).toBe('none yet');
  });

  it('tells moments in the zone that is asked for', () => {
    const at = Date.UTC(2026, 11, 1, 4, 3, 2);
    expect(clockTime(at, 'utc')).toBe('04:03:02');
    expect(dateTime(at, 'utc')).toBe('2026-12-01 04:03:02 UTC');
    expect(dateTime(new Date(2026, 11, 1, 4, 3, 2).getTime(), 'local')).toBe('2026-12-01 04:03:02');
    expect(clockTime(Number.NaN, 'local')).toBe('n/a');
  });

  it('cuts foreign text with a mark', () => expect([cut('abc', 3), cut('abcdef', 4)]).toEqual(['abc', 'abc…']));

  it('gives the address of a URL, and itself when it is none', () => {
    expect([hostPort('http://127.0.0.1:30001/v1'), hostPort('nonsense'), shortAddress('http://10.0.0.7:30002'), shortAddress('https://llm.example/')]).toEqual([
      '127.0.0.1:30001',
      'nonsense',
      ':30002',
      'llm.example',
    ]);
  });
});
