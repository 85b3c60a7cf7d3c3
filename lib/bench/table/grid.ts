import { median } from '@/lib/stats';

/** A table in Markdown with columns as wide as their widest cell. */
export function grid(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? '').length)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n');
}

/** `3/3`, over those of whom the question can be asked; `-` where it can be asked of none. */
export function share<T>(all: readonly T[], good: (one: T) => boolean | undefined): string {
  const asked = all.map(good).filter((each) => each !== undefined);
  return asked.length === 0 ? '-' : `${asked.filter(Boolean).length}/${asked.length}`;
}

/** Median and worst of told seconds. */
export function spread(values: readonly number[], digits = 0): string {
  const middle = median(values);
  return middle === undefined ? '-' : `${told(middle, digits)}, ${told(Math.max(...values), digits)}`;
}

/** `Infinity` is never. */
export function told(value: number, digits = 0): string {
  return Number.isFinite(value) ? value.toFixed(digits) : 'never';
}
