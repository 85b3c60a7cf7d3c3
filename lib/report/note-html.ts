import { escaped } from './escape';
import { type Inline, readNote } from './note';

/** A note as HTML of our own making: every word of it is escaped. */
export function noteHtml(text: string): string {
  const blocks = readNote(text).map((block) => {
    if (block.kind === 'code') return `<pre>${escaped(block.text)}</pre>`;
    if (block.kind !== 'list') return `<p class="${block.kind}">${lineHtml(block.of)}</p>`;
    const tag = block.isOrdered ? 'ol' : 'ul';
    return `<${tag}>${block.items.map((item) => `<li>${lineHtml(item)}</li>`).join('')}</${tag}>`;
  });
  return `<div class="note">${blocks.join('')}</div>`;
}

function lineHtml(of: readonly Inline[]): string {
  return of.map(pieceHtml).join('');
}

function pieceHtml(piece: Inline): string {
  switch (piece.kind) {
    case 'text':
      return escaped(piece.text);
    case 'code':
      return `<code>${escaped(piece.text)}</code>`;
    case 'strong':
      return `<strong>${lineHtml(piece.of)}</strong>`;
    case 'emphasis':
      return `<em>${lineHtml(piece.of)}</em>`;
    case 'link':
      return `<a rel="noreferrer nofollow" href="${escaped(piece.href)}">${lineHtml(piece.of)}</a>`;
  }
}
