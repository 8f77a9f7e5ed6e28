import type { JsonValue } from '../observation/observation.js';
import { BOUND_WORDS, CURRENCY_WORDS, PERIOD_WORDS, SIZE_WORDS } from './number-words.data.js';
import { multiplierOf, parseDigits, splitNumberWord } from './number-words.js';
import { foldLetters } from './canonical-key.js';

/** A number or a range of numbers; `low` equals `high` for an exact one. Bounds may be infinite. */
export interface Quantity {
  readonly low: number;
  readonly high: number;
}

/** An amount of money: its range, and currency and period if they are stated. */
export interface Money extends Quantity {
  /** ISO 4217 code; empty if not stated. */
  readonly currency: string;
  /** `year`, `month`, `quarter`, `seat`; empty if not stated. */
  readonly period: string;
}

/** Maximum length of a text that is read as a number. Half of a longer number would be a wrong one. */
const MAX_QUANTITY_TEXT = 400;

/** Maximum number of words beside a number; a longer text says something else than a number. */
const MAX_OTHER_WORDS = 4;

/** Share of a number by which "about" may differ. */
const ABOUT_SHARE = 0.1;

const toPhrases = (line: string) => line.split(' | ').sort((a, b) => b.length - a.length);
const bounds = {
  atLeast: toPhrases(BOUND_WORDS.atLeast),
  atMost: toPhrases(BOUND_WORDS.atMost),
  about: toPhrases(BOUND_WORDS.about),
};

type Bound = keyof typeof bounds | 'exact';

interface Token {
  readonly kind: 'number' | 'word' | 'to' | 'plus' | 'sign';
  readonly text: string;
}

const TOKEN = /\d{1,3}(?:[  ]\d{3})+(?!\d)|\d[\d.,'’]*\d|\d|\p{L}+\.?\p{L}*|[-–—]|\+|[<>≤≥~≈]=?|[€$£¥₹]/gu;

/**
 * Parses a number: JSON numbers, digits with separators and sizes (`1,200`, `1.200`, `5k`, `2 Mio.`), words in eight
 * languages (`two hundred`), ranges (`51-200`, `between 5 and 10`), bounds (`500+`, `over 500`, `< 50`) and guesses
 * (`about 500`, within a tenth). Undefined if the value states no number, or more than one.
 */
export function parseQuantity(value: JsonValue): Quantity | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? { low: value, high: value } : undefined;
  if (typeof value === 'string') return readMoney(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { amount, min, max, low, high } = value;
  if (amount !== undefined) return parseQuantity(amount);
  const least = toBound(min ?? low);
  const most = toBound(max ?? high);
  if (least === undefined && most === undefined) return undefined;
  return { low: least ?? 0, high: most ?? Infinity };
}

/** Parses an amount of money: text, a number, or `{amount, currency, period}`. */
export function parseMoney(value: JsonValue): Money | undefined {
  if (typeof value === 'string') return readMoney(value);
  const quantity = parseQuantity(value);
  if (!quantity) return undefined;
  const fields = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  const text = (name: string) => (typeof fields[name] === 'string' ? foldLetters(fields[name].trim()) : '');
  const currency = text('currency');
  const period = text('period');
  return {
    ...quantity,
    currency: CURRENCY_WORDS[currency] ?? currency.toUpperCase(),
    period: PERIOD_WORDS[period] ?? period,
  };
}

/** Returns one number for a quantity: the middle of a range, the finite bound of an open one. */
export function toMiddle({ low, high }: Quantity): number {
  if (!Number.isFinite(high)) return low;
  return Number.isFinite(low) ? (low + high) / 2 : high;
}

function toBound(value: JsonValue | undefined): number | undefined {
  const read = value === undefined || value === null ? undefined : parseQuantity(value);
  return read && toMiddle(read);
}

interface Reading {
  numbers: number[];
  /** The number words of the number that is being read. */
  total: number;
  current: number;
  isOpen: boolean;
  bound: Bound;
  isRange: boolean;
  currency: string;
  period: string;
  unknownWords: number;
  readonly hasDigits: boolean;
}

function readMoney(given: string): Money | undefined {
  if (given.length > MAX_QUANTITY_TEXT) return undefined;
  const text = foldLetters(given.trim());
  const reading: Reading = {
    numbers: [],
    total: 0,
    current: 0,
    isOpen: false,
    bound: 'exact',
    isRange: false,
    currency: '',
    period: '',
    unknownWords: 0,
    hasDigits: /\d/.test(text),
  };
  const tokens = (text.match(TOKEN) ?? []).map(toToken);
  for (let i = 0; i < tokens.length;) i += readToken(reading, tokens, i);
  closeNumber(reading);
  return toMoney(reading, text);
}

function toToken(text: string): Token {
  if (/^\d/.test(text)) return { kind: 'number', text };
  if (/^[-–—]$/.test(text)) return { kind: 'to', text };
  if (text === '+') return { kind: 'plus', text };
  if (/^\p{L}/u.test(text)) return { kind: 'word', text: text.replaceAll('.', '') };
  return { kind: 'sign', text };
}

/** Reads the token at `at`. Returns the number of tokens read. */
function readToken(reading: Reading, tokens: readonly Token[], at: number): number {
  const { kind, text } = tokens[at]!;
  switch (kind) {
    case 'number':
      return readDigits(reading, text, tokens[at + 1]);
    case 'to':
      if (reading.isOpen || reading.numbers.length > 0) markRange(reading);
      return 1;
    case 'plus':
      if (reading.isOpen || reading.numbers.length === 1) reading.bound = 'atLeast';
      return 1;
    case 'sign':
      readSign(reading, text);
      return 1;
    default:
      return readWord(reading, tokens, at);
  }
}

function readDigits(reading: Reading, digits: string, next: Token | undefined): number {
  closeNumber(reading);
  const number = parseDigits(digits);
  const size = next?.kind === 'word' ? (SIZE_WORDS[next.text] ?? multiplierOf(next.text)) : undefined;
  reading.numbers.push(number * (size ?? 1));
  return size === undefined ? 1 : 2;
}

function readSign(reading: Reading, sign: string): void {
  if (sign.startsWith('<') || sign.startsWith('≤')) reading.bound = 'atMost';
  else if (sign.startsWith('>') || sign.startsWith('≥')) reading.bound = 'atLeast';
  else if (sign.startsWith('~') || sign.startsWith('≈')) reading.bound = 'about';
  else reading.currency = reading.currency || (CURRENCY_WORDS[sign] ?? '');
}

function readWord(reading: Reading, tokens: readonly Token[], at: number): number {
  const word = tokens[at]!.text;
  const bound = matchBound(tokens, at);
  const hasNumber = reading.isOpen || reading.numbers.length > 0;
  if (bound && !hasNumber) {
    reading.bound = bound.bound;
    return bound.length;
  }
  if (
    hasNumber &&
    ['to', 'bis', 'a', 'au', 'tot', 'till', 'hasta', 'ate'].includes(word) &&
    isNumberNext(tokens, at + 1)
  ) {
    markRange(reading);
    return 1;
  }
  if (hasNumber && ['and', 'und', 'et', 'y', 'e', 'en', 'och'].includes(word) && isNumberNext(tokens, at + 1)) {
    if (!reading.isOpen) markRange(reading);
    return 1;
  }
  const values = splitNumberWord(word);
  // Beside digits, a small number in words is an article ("un budget de 50k").
  if (values && (!reading.hasDigits || values.some(value => value >= 100))) {
    values.forEach(value => addNumberWord(reading, value));
    return 1;
  }
  if (CURRENCY_WORDS[word] !== undefined) reading.currency = CURRENCY_WORDS[word];
  else if (hasNumber && PERIOD_WORDS[word] !== undefined) reading.period = PERIOD_WORDS[word];
  else if (word === 'k' || SIZE_WORDS[word] === undefined) reading.unknownWords += 1;
  return 1;
}

function isNumberNext(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (!token) return false;
  return (
    token.kind === 'number' ||
    token.kind === 'sign' ||
    (token.kind === 'word' && splitNumberWord(token.text) !== undefined)
  );
}

function matchBound(tokens: readonly Token[], at: number): { bound: Bound; length: number } | undefined {
  for (const bound of ['atLeast', 'atMost', 'about'] as const) {
    for (const phrase of bounds[bound]) {
      const words = phrase.split(' ');
      if (words.every((word, i) => tokens[at + i]?.text === word)) return { bound, length: words.length };
    }
  }
  return undefined;
}

/** Adds a number word to the number that is being read: units add up, hundreds and thousands multiply. */
function addNumberWord(reading: Reading, value: number): void {
  reading.isOpen = true;
  if (value >= 1000) {
    reading.total += (reading.current || 1) * value;
    reading.current = 0;
  } else if (value === 100) reading.current = (reading.current || 1) * 100;
  // "quatre-vingt" is four times twenty.
  else if (value === 20 && reading.current === 4) reading.current = 80;
  else reading.current += value;
}

function closeNumber(reading: Reading): void {
  if (!reading.isOpen) return;
  reading.numbers.push(reading.total + reading.current);
  [reading.total, reading.current, reading.isOpen] = [0, 0, false];
}

function markRange(reading: Reading): void {
  closeNumber(reading);
  reading.isRange = true;
}

function toMoney(reading: Reading, text: string): Money | undefined {
  const { numbers, bound, isRange, currency, period, unknownWords } = reading;
  const [first, second] = numbers;
  if (unknownWords > MAX_OTHER_WORDS) return undefined;
  if (first === undefined || numbers.length > 2 || (numbers.length === 2 && !isRange)) return undefined;
  if (second !== undefined) {
    // "5-10k" is from 5 000 to 10 000.
    const low =
      first < second &&
      second >= 1000 &&
      first < 1000 &&
      /\d\s*(?:-|–|—|to|bis)\s*\d[\d.,]*\s*(?:k|m|mio|tsd)/.test(text)
        ? scaleLike(first, second)
        : first;
    return { low: Math.min(low, second), high: Math.max(low, second), currency, period };
  }
  return { ...applyBound(first, bound), currency, period };
}

function scaleLike(first: number, second: number): number {
  return first * (second >= 1e6 ? 1e6 : 1e3);
}

function applyBound(number: number, bound: Bound): Quantity {
  if (bound === 'atLeast') return { low: number, high: Infinity };
  if (bound === 'atMost') return { low: 0, high: number };
  if (bound === 'about') return { low: number * (1 - ABOUT_SHARE), high: number * (1 + ABOUT_SHARE) };
  return { low: number, high: number };
}
