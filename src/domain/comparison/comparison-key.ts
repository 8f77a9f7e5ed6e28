import canonicalize from 'canonicalize';
import { canonicalKey, foldText, limitKey } from './canonical-key.js';
import type { JsonValue } from '../observation/observation.js';
import { parseDomain, parseLinkedin } from '../identity/web-address.js';
import { parseEmail } from '../identity/email.js';
import { companyKey } from './companies.js';
import { countryCode } from './countries.js';
import { parseDayRange } from './dates.js';
import { findIndustries } from './industries.js';
import { parseMoney, parseQuantity } from './quantities.js';
import { findFunctions, findRank, titleKey } from './titles.js';

/** How values of a property are compared. `text` is compared by its letters, without case, width and extra spaces. */
export type ComparisonType =
  | 'text'
  | 'title'
  | 'seniority'
  | 'department'
  | 'company'
  | 'country'
  | 'industry'
  | 'number'
  | 'money'
  | 'phone'
  | 'email'
  | 'domain'
  | 'linkedin'
  | 'date';

const TYPES: Readonly<Record<Exclude<ComparisonType, 'text'>, string>> = {
  title: 'title previous_title role position headline_title',
  seniority: 'seniority',
  department: 'department function',
  company: 'company previous_company employer company_name parent_company competitors current_vendor vendor',
  country: 'country country_code company_country',
  industry: 'industry',
  number: 'headcount employees seats users team_size founded_year year_founded number_of_seats locations_count',
  money:
    'budget revenue annual_revenue arr mrr deal_value deal_size deal_amount contract_value acv tcv funding total_funding ' +
    'last_funding_amount valuation price quoted_price',
  phone: 'phone phones work_phone mobile_phone mobile direct_phone office_phone company_phone',
  email: 'email work_email personal_email',
  domain: 'domain website',
  linkedin: 'linkedin_url company_linkedin_url',
  date:
    'renewal_date close_date start_date end_date contract_end contract_start contract_renewal_date expected_close_date ' +
    'go_live_date founded_on birthday trial_end joined_at left_at',
};

const types: ReadonlyMap<string, ComparisonType> = new Map(
  Object.entries(TYPES).flatMap(([type, names]) =>
    names.split(' ').map(name => [name, type as ComparisonType] as const),
  ),
);

/** Returns how values of a canonical property are compared. */
export function comparisonTypeOf(property: string): ComparisonType {
  return types.get(property) ?? 'text';
}

const EXTENSION = /(?:;\s*ext=|\bext(?:ension)?\.?|\bx|#|\bdw\.?|\bdurchwahl)\s*(\d{1,6})\s*$/i;
const TRUNK_ZERO = /\(0\)/g;
const MAX_PHONE_TEXT = 60;

/**
 * Returns the digits of a phone number: with `+` if the country code is given (also as `00`), and with `x` and the
 * extension. Undefined for text without digits.
 */
export function phoneKey(given: string): string | undefined {
  if (given.length > MAX_PHONE_TEXT) return undefined;
  const text = given.normalize('NFKC').trim().replace(/^tel:/i, '');
  const extension = EXTENSION.exec(text);
  const main = extension ? text.slice(0, extension.index) : text;
  const isInternational = /^[^\d+]*(?:\+|00[1-9])/.test(main);
  const digits = (isInternational ? main.replace(TRUNK_ZERO, '') : main).replace(/\D/g, '');
  if (digits === '') return undefined;
  const number = isInternational ? `+${digits.replace(/^00/, '')}` : digits;
  return extension ? `${number}x${extension[1]}` : number;
}

/**
 * Returns the key by which values of a type are compared; it is never shown. Equal keys are equal values; of different
 * keys {@link keysAgree} tells whether one only says more than the other. A value that its type cannot read is compared
 * as text, so that nothing is lost. Keys of more than 200 characters are replaced by their SHA-256.
 */
export function comparisonKey(type: ComparisonType, value: JsonValue): string {
  const key = typedKey(type, value);
  return key === undefined ? canonicalKey(value) : limitKey(key);
}

/** A typed key starts with the name of its type, as no JSON text does. Undefined if the type cannot read the value. */
function typedKey(type: ComparisonType, value: JsonValue): string | undefined {
  if (type === 'text' || value === null || value === '') return undefined;
  if (type === 'number') return quantityKey(value);
  if (type === 'money') return moneyKey(value);
  const text = toText(value);
  if (text === undefined || text.trim() === '') return undefined;
  switch (type) {
    case 'title':
      return titleKey(text);
    case 'seniority':
      return seniorityKey(text);
    case 'department':
      return nameSet('department', findFunctions(text));
    case 'company':
      return nonEmpty('company', companyKey(text));
    case 'country':
      return nonEmpty('country', countryCode(text));
    case 'industry':
      return nameSet('industry', findIndustries(text));
    case 'phone':
      return nonEmpty('phone', phoneKey(text));
    case 'date':
      return dateKey(text);
    default:
      return identifierKey(type, text);
  }
}

/** Returns the text of a value: itself, or the name of an object such as `{name, domain}`. */
function toText(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return typeof value['name'] === 'string' && value['name'] !== '' ? value['name'] : undefined;
}

function nonEmpty(type: string, key: string | undefined): string | undefined {
  return key ? `${type}:${key}` : undefined;
}

function nameSet(type: string, names: ReadonlySet<string>): string | undefined {
  return names.size > 0 ? `${type}:${[...names].sort().join(' ')}` : undefined;
}

function identifierKey(type: 'email' | 'domain' | 'linkedin', text: string): string | undefined {
  const plain = text.replace(/\s+/g, '');
  const focus =
    type === 'linkedin'
      ? parseLinkedin(plain)
      : type === 'domain'
        ? parseDomain(plain)
        : parseEmail(unwrapAddress(text));
  if (focus && 'key' in focus) return `${type}:${focus.key}`;
  return canonicalize(foldText(plain));
}

/** Returns the address in `Ada <ada@acme.com>` and `mailto:ada@acme.com`, without spaces. */
function unwrapAddress(text: string): string {
  const [, inner] = /<([^<>]*)>/.exec(text) ?? [];
  return (inner ?? text).replace(/\s+/g, '').replace(/^mailto:/i, '');
}

function seniorityKey(text: string): string | undefined {
  const rank = findRank(text.replaceAll(/[_-]/g, ' ').replace(/\bc level\b/i, 'chief'));
  return rank === 'individual' && foldText(text) !== 'individual' ? undefined : `seniority:${rank}`;
}

function quantityKey(value: JsonValue): string | undefined {
  const quantity = parseQuantity(value);
  if (!quantity) return undefined;
  return quantity.low === quantity.high ? canonicalize(quantity.low) : `number:${quantity.low}..${quantity.high}`;
}

function moneyKey(value: JsonValue): string | undefined {
  const money = parseMoney(value);
  return money && `money:${money.low}..${money.high}|${money.currency}|${money.period}`;
}

function dateKey(text: string): string | undefined {
  const range = parseDayRange(text);
  return range && `date:${range.low}..${range.high}`;
}

/**
 * Returns whether two comparison keys can both be true: they are equal, or one says the same less exactly (`51-200` and
 * `120`, `VP` and `VP Sales`, `50k` and `50,000 EUR`, `030 1234567` and `+49 30 1234567`). The relation is reflexive and
 * symmetric. It is not transitive: `51-200` agrees with 60 and with 120, which do not agree.
 */
export function keysAgree(one: string, other: string): boolean {
  return one === other || saysMore(one, other) || saysMore(other, one);
}

/** Returns whether two values of a canonical property can both be true, by their comparison keys. */
export function valuesAgree(property: string, one: JsonValue, other: JsonValue): boolean {
  const type = comparisonTypeOf(property);
  return keysAgree(comparisonKey(type, one), comparisonKey(type, other));
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
