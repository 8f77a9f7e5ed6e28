/** Shortens a text for a message: at most 80 characters, all printable in JSON and in a log. */
export function truncate(text: string): string {
  const short = text.length <= 80 ? text : `${text.slice(0, 79)}…`;
  const whole = short.toWellFormed();
  return whole.includes('\u0000') ? whole.replaceAll('\u0000', '\uFFFD') : whole;
}
