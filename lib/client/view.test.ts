import { describe, expect, it } from 'vitest';
import { linkTo, parseMoment, parseTyped, readView, withQuery } from './view';

const NOW = Date.UTC(2026, 11, 1, 14, 5, 33);

describe('the view in the URL', () => {
  it('is read back as it was written', () => {
    const view = { t: '2026-12-01T14:03:22Z', theme: 'dark', node: 'a b&c' };
    expect(readView(new URL(withQuery('/x', view), 'http://localhost').searchParams)).toEqual(view);
  });

  it('ignores what is no part of a view', () => expect(readView(new URLSearchParams('evil=1&theme=light'))).toEqual({ theme: 'light' }));

  it('takes moment, range and theme along to another page, and leaves the selection behind', () => {
    expect(linkTo('/targets/a', { t: '5', theme: 'dark', node: 'x', stack: 's' })).toBe('/targets/a?t=5&theme=dark');
  });

  it('lets a link go back to live', () => expect(linkTo('/', { t: '5' }, { t: undefined })).toBe('/'));
});

describe('a pasted moment', () => {
  it.each([
    ['2026-12-01T14:03:22Z', Date.UTC(2026, 11, 1, 14, 3, 22)],
    ['1796133802000', 1_796_133_802_000],
    ['1796133802', 1_796_133_802_000],
    ['now', NOW],
    ['now-15m', NOW - 900_000],
  ])('%s is understood', (text, at) => expect(parseMoment(text, NOW)).toBe(at));

  it.each(['', 'yesterday-ish', undefined, 'now+5m'])('%s is none', (text) => expect(parseMoment(text, NOW)).toBeUndefined());
});

describe('a typed moment', () => {
  it.each([
    ['14:03:22', Date.UTC(2026, 11, 1, 14, 3, 22)],
    ['14:03', Date.UTC(2026, 11, 1, 14, 3)],
    ['2026-11-30 09:00', Date.UTC(2026, 10, 30, 9)],
    ['2026-11-30T09:00:00+01:00', Date.UTC(2026, 10, 30, 8)],
    ['now-1h', NOW - 3_600_000],
  ])('%s is understood', (text, at) => expect(parseTyped(text, NOW, 'utc')).toBe(at));

  it('without a zone is read in the reader’s', () => expect(parseTyped('2026-12-01 14:03:22', NOW, 'local')).toBe(new Date(2026, 11, 1, 14, 3, 22).getTime()));

  it.each(['25:99', 'soon'])('%s is none', (text) => expect(parseTyped(text, NOW, 'utc')).toBeUndefined());
});

describe('a link to a place on a page', () => {
  it('names the view before the place', () => {
    expect(linkTo('/targets/a#num_queue_reqs', { theme: 'dark' }, { t: '2026-12-01T14:03:22.000Z' })).toBe(
      '/targets/a?t=2026-12-01T14%3A03%3A22.000Z&theme=dark#num_queue_reqs',
    );
    expect(linkTo('/targets/a#num_queue_reqs', {})).toBe('/targets/a#num_queue_reqs');
  });
});
