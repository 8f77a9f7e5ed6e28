import canonicalize from 'canonicalize';
import { canonicalKey, foldText, limitKey } from '#domain/claims/canonical-key.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { parseDomain } from '#domain/identity/domain.js';
import { parseEmail } from '#domain/identity/email.js';
import { parseLinkedin } from '#domain/identity/linkedin.js';
import { companyKey } from './companies.js';
import type { ComparisonType } from './comparison-type.js';
import { countryCode } from './countries.js';
import { parseDayRange } from './dates.js';
import { findIndustries } from './industries.js';
import { phoneKey } from './phones.js';
import { parseMoney, parseQuantity } from './quantities.js';
import { findFunctions, findRank, titleKey } from './titles.js';

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
