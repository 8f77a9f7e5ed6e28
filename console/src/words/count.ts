const plural = new Intl.PluralRules('en');
const number = new Intl.NumberFormat('en');

/** Returns a number with its noun: `1 person`, `1,200 people`. */
export function count(n: number, one: string, many: string): string {
  return `${number.format(n)} ${plural.select(n) === 'one' ? one : many}`;
}
