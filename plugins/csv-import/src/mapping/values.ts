/** Sign between the whole and the fraction of numbers. */
export type DecimalSign = ',' | '.';

const MAX_NUMBER_LENGTH = 30;
const COMMA_DECIMALS = /^-?(?:\d{1,3}(?:[. ]\d{3})+|\d+),\d{1,2}$/;
const POINT_DECIMALS = /^-?(?:\d{1,3}(?:[, ]\d{3})+|\d+)\.\d{1,2}$/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const SCALES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, mio: 1e6, b: 1e9, bn: 1e9, mrd: 1e9 };

/** Finds the decimal sign of a file from its cells; without evidence, files with semicolons have commas. */
export function detectDecimalSign(cells: readonly string[], delimiter: string): DecimalSign {
  for (const cell of cells) {
    const text = cell.slice(0, MAX_NUMBER_LENGTH);
    if (COMMA_DECIMALS.test(text)) return ',';
    if (POINT_DECIMALS.test(text)) return '.';
  }
  return delimiter === ';' ? ',' : '.';
}

/** Parses a number such as `1,200`, `1.200,50`, `€ 3M`; undefined if the cell is none. */
export function parseNumber(cell: string, decimal: DecimalSign): number | undefined {
  const text = cell
    .slice(0, MAX_NUMBER_LENGTH)
    .replace(/[€$£\s'’]|EUR|USD|GBP|CHF/g, '')
    .toLowerCase();
  const scale = /(?:mio|mrd|bn|[kmb])\.?$/.exec(text)?.[0] ?? '';
  const group = decimal === ',' ? '.' : ',';
  const bare = text
    .slice(0, text.length - scale.length)
    .replaceAll(group, '')
    .replace(decimal, '.');
  return NUMBER.test(bare) ? Number(bare) * (SCALES[scale.replace('.', '')] ?? 1) : undefined;
}

const YES = new Set(['true', 'yes', 'y', '1', 'x', 'ja', 'oui', 'si', 'sì', 'sí', 'sim', 'tak', 'wahr', 'vrai']);
const NO = new Set(['false', 'no', 'n', '0', 'nein', 'non', 'nao', 'não', 'nee', 'nej', 'nie', 'falsch', 'faux']);

/** Parses yes or no in ten languages; undefined if the cell is neither. */
export function parseBoolean(cell: string): boolean | undefined {
  const text = cell.toLowerCase();
  return YES.has(text) ? true : NO.has(text) ? false : undefined;
}

/** A name in parts; parts that are not certain are left out. */
export interface NameParts {
  readonly name: string;
  readonly first_name?: string;
  readonly last_name?: string;
}

const HONORIFICS = new Set(
  'mr mrs ms miss dr prof sir herr frau dipling ing mag mme mlle sr sra sig dott doc mgr'.split(' '),
);
const SUFFIXES = new Set(['phd', 'md', 'mba', 'jr', 'ii', 'iii', 'cpa', 'esq', 'msc', 'bsc', 'ma', 'pmp', 'cfa']);
const PARTICLES = new Set(
  "van von der den de del della di da dos das do du la le zu zur ter ten af av bin ibn al el st mac mc o'".split(' '),
);

/** Returns the key of a title, such as `drmed` for `Dr. med.`, to compare it with known ones. */
function toTitleKey(word: string): string {
  return word.toLowerCase().replace(/[.,-]/g, '');
}

/** Whether a cell is a form of address, such as `Mr.` or `Frau Dr.`. */
export function isHonorific(cell: string): boolean {
  return cell.split(/\s+/).every(word => HONORIFICS.has(toTitleKey(word)));
}

/**
 * Splits a full name: `Byron, Ada` and `Dr. Ada Byron, PhD` are Ada Byron. With more than two words only particles
 * (`van der Berg`) say where the last name begins; without one it is left out.
 */
export function splitName(cell: string): NameParts {
  const [head = '', tail] = cell.split(',', 2).map(part => part.trim());
  const isReversed =
    tail !== undefined && tail !== '' && !tail.split(/\s+/).every(word => SUFFIXES.has(toTitleKey(word)));
  const words = (isReversed ? `${tail} ${head}` : head).split(/\s+/).filter(word => word !== '');
  while (words.length > 1 && HONORIFICS.has(toTitleKey(words[0]!))) words.shift();
  while (words.length > 2 && SUFFIXES.has(toTitleKey(words.at(-1)!))) words.pop();
  const name = words.join(' ');
  if (isReversed) return { name, first_name: tail!, last_name: head };
  if (words.length < 2) return { name };
  const particle = words.findIndex((word, index) => index > 0 && PARTICLES.has(word.toLowerCase()));
  const at = words.length === 2 ? 1 : particle;
  if (at < 1) return { name, first_name: words[0]! };
  return { name, first_name: words.slice(0, at).join(' '), last_name: words.slice(at).join(' ') };
}

/** Joins a phone number and the country code of another column: `+49` and `030 123456` are `+49 30 123456`. */
export function joinPhone(number: string, countryCode: string | undefined): string {
  const digits = countryCode?.replace(/\D/g, '').replace(/^0+/, '') ?? '';
  if (digits === '' || number.startsWith('+') || number.startsWith('00')) return number.replace(/^00(?=[1-9])/, '+');
  return `+${digits} ${number.replace(/^\(?0\)?[ -]*/, '')}`;
}

const EMAIL = /^[^\s@<>,;]{1,64}@[^\s@<>,;]{1,255}$/;
const PHONE = /^\+?[\d\s().\-/]{6,30}(?:(?:x|ext\.?|#) ?\d{1,6})?$/i;
const DOMAIN = /^(?:https?:\/\/)?[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){1,6}(?:[/?#]\S{0,500})?$/iu;
const PERSON_PROFILE = /^(?:https?:\/\/)?(?:[a-z]{2,3}\.)?linkedin\.com\/(?:in|pub|sales\/lead)\/\S{1,300}$/i;
const COMPANY_PROFILE = /^(?:https?:\/\/)?(?:[a-z]{2,3}\.)?linkedin\.com\/(?:company|school|showcase)\/\S{1,300}$/i;
const MAX_CHECKED_LENGTH = 600;

/** Tests of whether a cell is what a field holds. Fields of free text have none. */
export const CONTENT_TESTS = {
  email: (cell: string) => EMAIL.test(cell.slice(0, MAX_CHECKED_LENGTH)) && cell.includes('.'),
  linkedin_url: (cell: string) => PERSON_PROFILE.test(cell.slice(0, MAX_CHECKED_LENGTH)),
  company_linkedin_url: (cell: string) => COMPANY_PROFILE.test(cell.slice(0, MAX_CHECKED_LENGTH)),
  phone: (cell: string) => PHONE.test(cell.slice(0, MAX_CHECKED_LENGTH)) && cell.replace(/\D/g, '').length >= 6,
  phone_country_code: (cell: string) => /^(?:\+|00)?\d{1,4}$/.test(cell.slice(0, MAX_CHECKED_LENGTH)),
  company_domain: (cell: string) => DOMAIN.test(cell.slice(0, MAX_CHECKED_LENGTH)) && !/linkedin\.com/i.test(cell),
} as const;

/** Reads a value whose type is not known: a plain number, true or false, or a text. `01234` and `1,200` stay texts. */
export function toPlainValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? number : text;
}
