const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const UNITS_BYTES: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1024,
  mb: 1024 ** 2,
  gb: 1024 ** 3,
  tb: 1024 ** 4,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
};

/** `10s`, `1m30s`, `250ms`, `7d` -> ms; undefined when it is no duration. Units go down and stand once each. */
export function durationMs(text: string): number | undefined {
  const parts = [...text.trim().matchAll(/(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)\s*/gy)];
  if (parts.length === 0 || parts.map((part) => part[0]).join('') !== text.trim()) return undefined;
  const units = parts.map((part) => UNITS_MS[part[2] ?? ''] ?? 0);
  if (units.some((unit, index) => index > 0 && unit >= (units[index - 1] ?? 0))) return undefined;
  return parts.reduce((sum, part, index) => sum + Number(part[1]) * (units[index] ?? 0), 0);
}

/** `2GB`, `500 MB`, `1.5GiB` -> bytes; undefined when it is no size. */
export function sizeBytes(text: string): number | undefined {
  const [, amount, unit] = /^\s*(\d+(?:\.\d+)?)\s*([kmgt]i?b|b)\s*$/i.exec(text) ?? [];
  const factor = UNITS_BYTES[unit?.toLowerCase() ?? ''];
  return amount === undefined || factor === undefined ? undefined : Math.round(Number(amount) * factor);
}

/** `host:port`, `[::1]:port` or a lone port. */
export function hostAndPort(text: string): { host: string; port: number } | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:.%]+)\]:|([^\s:/@[\]]+):)?(\d{1,5})$/i.exec(text.trim()) ?? [];
  const port = Number(digits);
  return digits === undefined || port > 65_535 ? undefined : { host: bracketed ?? plain ?? '127.0.0.1', port };
}
