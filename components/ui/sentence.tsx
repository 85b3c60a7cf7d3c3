import { Time } from './time';

/** A sentence of the detector; moments in it stand as `{ISO}` and are shown in the reader's zone. */
export function Sentence({ text }: { text: string }) {
  return (
    <>{pieces(text).map((piece) => (typeof piece.at === 'number' ? <Time key={piece.from} at={piece.at} /> : <span key={piece.from}>{piece.text}</span>))}</>
  );
}

/** The same sentence as plain text, for titles and live regions. */
export function plainSentence(text: string, time: (at: number) => string): string {
  return pieces(text)
    .map((piece) => (typeof piece.at === 'number' ? time(piece.at) : piece.text))
    .join('');
}

function pieces(text: string): { from: number; text: string; at?: number }[] {
  const found: { from: number; text: string; at?: number }[] = [];
  let from = 0;
  for (const match of text.matchAll(/\{(\d{4}-\d\d-\d\dT[\d:.]+Z)\}/g)) {
    const at = Date.parse(match[1] ?? '');
    if (Number.isNaN(at)) continue;
    found.push({ from, text: text.slice(from, match.index) }, { from: match.index, text: match[0], at });
    from = match.index + match[0].length;
  }
  return [...found, { from: from === 0 ? -1 : from, text: text.slice(from) }];
}
