/** A text fit for a message: at most 80 characters, all of them printable in JSON and in a log. */
export function excerptOf(text: string): string {
  const short = text.length <= 80 ? text : `${text.slice(0, 79)}…`;
  return short.toWellFormed().replaceAll('\u0000', '\uFFFD');
}
