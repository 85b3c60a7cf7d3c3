import type { Run } from './outcome';

/** The run as the moments at which something shown changed. */
export function changes({ lines }: Run): string[] {
  const out: string[] = [];
  let before = '';
  for (const line of lines) {
    const word = line.fronts.map((one) => `${one.name}=${one.verdict}${one.detail ? `(${one.detail})` : ''}@${one.place}`).join(' ');
    if (word !== before) out.push(`${line.s.toFixed(1)} ${word} [${line.top ?? ''}]`);
    before = word;
  }
  return out;
}
