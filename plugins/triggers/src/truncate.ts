/** At most so many UTF-16 units of a text; a sign that takes two of them is not cut in half. */
export function truncate(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}
