/**
 * Other people's text as it may be stored and shown: control characters but line ends and tabs, and the marks that turn, hide or join what
 * is read (U+202E makes "exe.gpj" of "jpg.exe"), become a visible sign.
 */
export function readable(text: string): string {
  return text.replace(/(?![\n\r\t])[\p{Cc}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu, '\u00B7');
}
