import { describe, expect, test } from 'vitest';
import { readNote } from './note';

const text = (words: string) => ({ kind: 'text', text: words });

describe('a note', () => {
  test('is read as paragraphs, headings, lists, quotes and code', () => {
    expect(readNote('# Plan\n\nFirst line\nsecond line\n- one\n- two\n1. first\n> said\n```\nkill -9 1\n<b>\n```\nend')).toEqual([
      { kind: 'heading', of: [text('Plan')] },
      { kind: 'paragraph', of: [text('First line\nsecond line')] },
      { kind: 'list', isOrdered: false, items: [[text('one')], [text('two')]] },
      { kind: 'list', isOrdered: true, items: [[text('first')]] },
      { kind: 'quote', of: [text('said')] },
      { kind: 'code', text: 'kill -9 1\n<b>' },
      { kind: 'paragraph', of: [text('end')] },
    ]);
  });

  test('has strong, emphasis, code and links inside its lines', () => {
    expect(readNote('a **b *c* d** `e*f*` [docs](https://x.example/a?b=1) https://y.example/z')).toEqual([
      {
        kind: 'paragraph',
        of: [
          text('a '),
          { kind: 'strong', of: [text('b '), { kind: 'emphasis', of: [text('c')] }, text(' d')] },
          text(' '),
          { kind: 'code', text: 'e*f*' },
          text(' '),
          { kind: 'link', href: 'https://x.example/a?b=1', of: [text('docs')] },
          text(' '),
          { kind: 'link', href: 'https://y.example/z', of: [text('https://y.example/z')] },
        ],
      },
    ]);
  });

  test('keeps names with underscores whole', () => {
    expect(readNote('num_decode_transfer_queue_reqs stands')).toEqual([{ kind: 'paragraph', of: [text('num_decode_transfer_queue_reqs stands')] }]);
  });

  test.each(['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '[x](javascript:alert(1))', '[x](data:text/html,<b>)', '[x]( javascript:1)'])(
    'lets nothing of %s be more than text',
    (hostile) => {
      const [block] = readNote(hostile);
      expect(block).toEqual({ kind: 'paragraph', of: [text(hostile)] });
    },
  );

  test.each(['*', '**a', '[', '`', '_a', '> ', '- ', '[a](https://', '**a*'])('of nothing but %s is read, cut to its longest', (piece) => {
    expect(JSON.stringify(readNote(piece.repeat(20_000))).length).toBeLessThan(1_000_000);
  });
});
