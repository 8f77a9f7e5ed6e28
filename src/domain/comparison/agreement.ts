/**
 * Returns whether two comparison keys can both be true: they are equal, or one says the same less exactly (`51-200` and
 * `120`, `VP` and `VP Sales`, `50k` and `50,000 EUR`, `030 1234567` and `+49 30 1234567`). The relation is reflexive and
 * symmetric. It is not transitive: `51-200` agrees with 60 and with 120, which do not agree.
 */
export function keysAgree(one: string, other: string): boolean {
  return one === other || saysMore(one, other) || saysMore(other, one);
}

/** Returns whether a key says the same as another one, and more: a strict order. */
export function saysMore(exact: string, vague: string): boolean {
  if (exact === vague) return false;
  const [type, rest] = splitKey(vague);
  switch (type) {
    case 'number':
    case 'date':
      return containsRange(parseRange(rest), parseRange(rangeOf(exact, type)));
    case 'money':
      return exact.startsWith('money:') && saysMoreMoney(exact.slice('money:'.length), rest);
    case 'title':
    case 'industry':
    case 'department':
      return exact.startsWith(`${type}:`) && isSubset(rest, exact.slice(type.length + 1));
    case 'phone':
      return exact.startsWith('phone:') && saysMorePhone(exact.slice('phone:'.length), rest);
    default:
      return false;
  }
}

function splitKey(key: string): [type: string, rest: string] {
  const end = key.indexOf(':');
  return end < 0 || key.startsWith('"') ? ['', key] : [key.slice(0, end), key.slice(end + 1)];
}

type Range = readonly [low: number, high: number];

/** The range of a key of this type; an exact number is its JSON. */
function rangeOf(key: string, type: string): string {
  if (key.startsWith(`${type}:`)) return key.slice(type.length + 1);
  return type === 'number' && /^-?\d/.test(key) ? `${key}..${key}` : '';
}

function parseRange(text: string): Range | undefined {
  const [low, high] = text.split('..');
  return low === undefined || low === '' || high === undefined ? undefined : [Number(low), Number(high)];
}

function containsRange(wide: Range | undefined, narrow: Range | undefined): boolean {
  return wide !== undefined && narrow !== undefined && wide[0] <= narrow[0] && narrow[1] <= wide[1];
}

/** Amount, currency and period: each must be the same or more exact. */
function saysMoreMoney(exact: string, vague: string): boolean {
  const [range = '', currency = '', period = ''] = exact.split('|');
  const [wide = '', vagueCurrency = '', vaguePeriod = ''] = vague.split('|');
  const isStated = (less: string, more: string) => less === '' || less === more;
  return (
    containsRange(parseRange(wide), parseRange(range)) &&
    isStated(vagueCurrency, currency) &&
    isStated(vaguePeriod, period)
  );
}

/** Each part of a title (ranks, functions, words) must contain that of the other. */
function isSubset(vague: string, exact: string): boolean {
  const exactParts = exact.split('|');
  return vague.split('|').every((part, i) => {
    const words = new Set(exactParts[i]?.split(' '));
    return part === '' || part.split(' ').every(word => words.has(word));
  });
}

/** A number with country code says more than the national one, and an extension more than none. */
function saysMorePhone(exact: string, vague: string): boolean {
  const [number = '', extension = ''] = exact.split('x');
  const [vagueNumber = '', vagueExtension = ''] = vague.split('x');
  if (vagueExtension !== '' && vagueExtension !== extension) return false;
  if (number === vagueNumber) return extension !== vagueExtension;
  return number.startsWith('+') && !vagueNumber.startsWith('+') && isNational(number.slice(1), vagueNumber);
}

const MIN_NATIONAL_DIGITS = 7;
const MAX_COUNTRY_DIGITS = 3;

function isNational(international: string, national: string): boolean {
  const digits = national.replace(/^0+/, '');
  const prefix = international.length - digits.length;
  return (
    digits.length >= MIN_NATIONAL_DIGITS &&
    prefix >= 1 &&
    prefix <= MAX_COUNTRY_DIGITS &&
    international.endsWith(digits)
  );
}
