/** What stands in the place of a secret that was sent back to us. */
export const HIDDEN = 'HIDDEN';

/** Shorter texts occur by chance. */
const LEAST = 6;
/** A piece of a secret at the cut edge of a text that is this long tells something of it. */
const LEAST_PIECE = 6;

/**
 * Takes secrets out of text that a server sent: many quote the key that they refuse. A secret cut in two by the text's own end is taken
 * out as well. Secrets of fewer than 6 characters are left: they stand for nothing ("none") and occur everywhere.
 */
export function hider(secrets: readonly string[]): (text: string) => string {
  const all = [...new Set(secrets.filter((secret) => secret.length >= LEAST))].sort((a, b) => b.length - a.length);
  if (all.length === 0) return (text) => text;
  return (text) => all.reduce((hidden, secret) => withoutHead(withoutTail(hidden.split(secret).join(HIDDEN), secret), secret), text);
}

/** The text ends in the secret's first characters. */
function withoutTail(text: string, secret: string): string {
  for (let length = Math.min(secret.length - 1, text.length); length >= LEAST_PIECE; length--)
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + HIDDEN;
  return text;
}

/** The text begins with the secret's last characters. */
function withoutHead(text: string, secret: string): string {
  for (let length = Math.min(secret.length - 1, text.length); length >= LEAST_PIECE; length--)
    if (text.startsWith(secret.slice(-length))) return HIDDEN + text.slice(length);
  return text;
}
