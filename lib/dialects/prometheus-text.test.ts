import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { newMemo, parseExposition } from './prometheus-text';

const here = (path: string) => fileURLToPath(new URL(`./fixtures/${path}`, import.meta.url));
const recorded = (path: string) => readFileSync(here(path), 'utf8');
const recordings = (folder: string) => readdirSync(here(folder)).map((name) => `${folder}/${name}`);

const values = (text: string, wanted?: ReadonlySet<string>) => parseExposition(text, wanted).lines.map((line) => [line.name, line.value]);

describe('parseExposition', () => {
  it('reads names, labels, types and values, with time stamps and exemplars left out', () => {
    const page = '# HELP a b\n# TYPE a counter\na{x="1",y="two words"} 3 1700000000\na_total 4 # {trace_id="q"} 0.5\n# TYPE b gauge\nb 1e3\n';
    const read = parseExposition(page);
    expect(read.lines).toEqual([
      { name: 'a', labels: { x: '1', y: 'two words' }, value: 3 },
      { name: 'a_total', labels: {}, value: 4 },
      { name: 'b', labels: {}, value: 1000 },
    ]);
    expect([...read.types]).toEqual([
      ['a', 'counter'],
      ['b', 'gauge'],
    ]);
    expect(read.skipped).toBe(0);
  });

  it('undoes escapes and lets braces, commas and quotes stand inside a label', () => {
    expect(parseExposition('a{x="q\\"u\\\\o\\nte},{",y=""} 1\n').lines[0]?.labels).toEqual({ x: 'q"u\\o\nte},{', y: '' });
  });

  it('takes the last of equal series', () => {
    expect(parseExposition('a{x="1"} 1\na{x="2"} 5\na{x="1"} 2\n').lines).toEqual([
      { name: 'a', labels: { x: '1' }, value: 2 },
      { name: 'a', labels: { x: '2' }, value: 5 },
    ]);
  });

  it('reads CRLF pages, a missing last newline and missing types', () => {
    expect(values('a 1\r\n\r\nb{x="1"} 2\r\nc 3')).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
  });

  it('knows NaN and the infinities', () => {
    expect(values('a NaN\nb +Inf\nc -Inf\nd Inf')).toEqual([
      ['a', Number.NaN],
      ['b', Number.POSITIVE_INFINITY],
      ['c', Number.NEGATIVE_INFINITY],
      ['d', Number.POSITIVE_INFINITY],
    ]);
  });

  it.each(['a', 'a{', 'a{x="1" 1', 'a{x="1} 1', 'a{x=1} 1', 'a{="1"} 1', 'a one', 'a 0x10', '1a 1', '<html>', '{} 1', 'a{x="1"}1x', '\u0000\u0001\u0002'])(
    'counts %j as a line that makes no sense',
    (line) => {
      const read = parseExposition(`ok 1\n${line}\nfine 2\n`);
      expect(read.skipped).toBe(1);
      expect(read.lines.map((one) => one.name)).toEqual(['ok', 'fine']);
    },
  );

  it('cuts long label values and refuses absurd lines', () => {
    const read = parseExposition(`a{x="${'v'.repeat(5000)}"} 1\nb{x="${'v'.repeat(50_000)}"} 1\nc{${'x="1",'.repeat(500)}} 1\nd 1`);
    expect(read.lines.map((line) => [line.name, line.labels.x?.length])).toEqual([
      ['a', 256],
      ['d', undefined],
    ]);
    expect(read.skipped).toBe(2);
  });

  it('does not let a label reach into the object prototype', () => {
    const labels = parseExposition('a{__proto__="x",constructor="y"} 1').lines[0]?.labels;
    expect(Object.getPrototypeOf(labels)).toBe(Object.prototype);
  });

  it('jumps over families that nobody wants, and reads on behind them', () => {
    const page =
      '# TYPE h histogram\nh_bucket{le="1"} 1\nh_bucket{le="+Inf"} 2\nh_count 2\n# TYPE g gauge\ng 7\n# TYPE z histogram\nz_bucket{le="1"} 1\nz_count 9\n';
    expect(values(page, new Set(['g', 'z_count']))).toEqual([
      ['g', 7],
      ['z_count', 9],
    ]);
  });

  it('finds a wanted line that stands without its own type under an unwanted family', () => {
    expect(values('# TYPE h histogram\nh_count 2\ng 7\nk 8\n', new Set(['g']))).toEqual([['g', 7]]);
    expect(values('# TYPE h histogram\nh_count 2\n', new Set(['g']))).toEqual([]);
  });

  it('reads with and without a selection the same of every recorded page', () => {
    const pages = ['sglang-0.5.23', 'sglang-0.5.23/pd', 'sglang-router-0.3.2/gateway', 'vllm-0.32.0']
      .flatMap(recordings)
      .filter((name) => /\.prom$|metrics-.*\.txt$/.test(name));
    expect(pages.length).toBeGreaterThan(10);
    for (const name of pages) {
      const page = recorded(name);
      const all = parseExposition(page);
      expect(all.skipped, name).toBe(0);
      expect(all.lines.length, name).toBe(page.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length);
      const wanted = new Set(all.lines.map((line) => line.name).filter((_, index) => index % 7 === 0));
      expect(parseExposition(page, wanted).lines, name).toEqual(all.lines.filter((line) => wanted.has(line.name)));
    }
  });

  it('takes time in proportion to the page, however hostile', () => {
    const hostile = ['a{x="', '# TYPE ', '\n#', 'a{', '\\"', 'a{x="1",', ' ', '{"', '# TYPE a b\n', 'a 1\n'];
    for (const piece of hostile) {
      const read = parseExposition(piece.repeat(400_000), new Set(['a']));
      expect(read.lines.length, piece).toBeLessThanOrEqual(1);
    }
  });
});

describe('parseExposition with a memo', () => {
  const pages = [...recordings('sglang-0.5.23'), ...recordings('sglang-0.5.23/pd'), ...recordings('vllm-0.32.0')].filter((path) =>
    /metrics.*\.(prom|txt)$/.test(path),
  );

  it.each(pages)('reads %s as without one, at the first time and again with other values', (path) => {
    const memo = newMemo();
    const first = recorded(path);
    const again = first.replace(/ (\d+)\.0$/gm, ' $17.0');
    expect(again).not.toBe(first);
    const some = new Set(parseExposition(first).lines.flatMap(({ name }, index) => (index % 3 === 0 ? [name] : [])));
    for (const page of [first, again, first]) expect(parseExposition(page, some, memo)).toEqual(parseExposition(page, some));
  });

  it('reads a known series before a time stamp, an exemplar, an infinity or a carriage return as without one', () => {
    const memo = newMemo();
    const lines = [
      'a{x="1"} 1',
      'a{x="1"} 2 1700000000',
      'a{x="1"} 4 # {trace_id="q"} 0.5',
      'a{x="1"} +Inf',
      'a{x="1"} 5\r',
      'a{x="1"} ',
      'a{x="1"} six',
      'a{x="1"}  7',
      'b 1',
      'b 2',
    ];
    for (const line of lines) expect(parseExposition(`${line}\n`, undefined, memo), line).toEqual(parseExposition(`${line}\n`));
  });

  it('stays bounded, whatever pages say', () => {
    const memo = newMemo();
    for (let page = 0; page < 20; page += 1) {
      const lines = Array.from({ length: 2_000 }, (_, index) => `# TYPE f${page}_${index} gauge\nf${page}_${index}{x="${'y'.repeat(index)}"} 1`);
      parseExposition(lines.join('\n'), undefined, memo);
    }
    expect(memo.series.size).toBeLessThanOrEqual(16_384);
    expect(memo.families.size).toBeLessThanOrEqual(1_024);
    expect(Math.max(...[...memo.series.keys()].map((text) => text.length))).toBeLessThanOrEqual(512);
  });
});
