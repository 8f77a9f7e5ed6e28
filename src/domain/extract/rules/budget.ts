import type { JsonValue } from '../../observation/observation.js';
import { checkNamedSubject } from '../review-rules.js';
import type { TextSpan, ReviewReason, ExtractionContext, Match, ExtractionRule } from '../extraction.js';

/** A mentioned amount: `{amount, currency, period?}`; currency is an ISO 4217 code, null if left out. */
export interface MoneyMention extends TextSpan {
  readonly value: { readonly amount: number; readonly currency: string | null; readonly period?: string } & JsonValue;
}

const CURRENCIES: Readonly<Record<string, string>> = {
  $: 'USD',
  usd: 'USD',
  us$: 'USD',
  dollar: 'USD',
  dollars: 'USD',
  '€': 'EUR',
  eur: 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  '£': 'GBP',
  gbp: 'GBP',
  pound: 'GBP',
  pounds: 'GBP',
  chf: 'CHF',
  francs: 'CHF',
};
const MULTIPLIERS: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  mio: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
};
const PERIODS: Readonly<Record<string, string>> = {
  year: 'year',
  yr: 'year',
  annum: 'year',
  month: 'month',
  mo: 'month',
  quarter: 'quarter',
  seat: 'seat',
  user: 'seat',
};

const MONEY =
  /(?<![\w.,])(?<before>US\$|USD|EUR|GBP|CHF|[$€£])?\s?(?<number>\d[\d.,]*\d|\d)(?<to>\s?(?:-|–|to)\s?[$€£]?\d[\d.,]*)?\s?(?<size>k|thousand|million|mn|mio|m|bn|billion)?(?![\w%])\s?(?<after>USD|EUR|GBP|CHF|dollars?|euros?|pounds?|francs|[€$£])?(?:\s?(?:per|a|an|\/)\s?(?<period>year|yr|annum|month|mo|quarter|seat|user)\b)?/gi;

/**
 * Finds all amounts of money in a text: those with a currency, or in thousands or millions. Both ends of a range count.
 */
export function findMoney(text: string): MoneyMention[] {
  return [...text.matchAll(MONEY)].flatMap(({ 0: whole, index, groups = {} }) => {
    const { before, number, to, size, after, period } = groups;
    const currency = CURRENCIES[(before ?? after ?? '').toLowerCase()] ?? null;
    if (currency === null && size === undefined) return [];
    const start = index + (whole.length - whole.trimStart().length);
    const end = index + whole.trimEnd().length;
    const ends = to === undefined ? [number!] : [number!, to.replace(/^[^\d]+/, '')];
    return ends.flatMap(digits => {
      const amount = parseAmount(digits) * (MULTIPLIERS[size?.toLowerCase() ?? ''] ?? 1);
      if (!Number.isFinite(amount) || amount <= 0) return [];
      const per = PERIODS[period?.toLowerCase() ?? ''];
      return [{ start, end, value: { amount, currency, ...(per && { period: per }) } }];
    });
  });
}

/** Parses `50,000` and `50.000` as fifty thousand, `1.5` and `1,5` as one and a half. */
function parseAmount(text: string): number {
  const plain = text.replace(/(?<![.,])[.,]+$/, '');
  if (/^\d{1,3}(?:[.,]\d{3})+$/.test(plain)) return Number(plain.replaceAll(/[.,]/g, ''));
  const decimals = /^([\d.,]*\d)[.,](\d{1,2})$/.exec(plain);
  if (decimals) return Number(`${decimals[1]!.replaceAll(/[.,]/g, '')}.${decimals[2]}`);
  return Number(plain.replaceAll(/[.,]/g, ''));
}

const CUE = /\bbudget(?:ed|s)?\b|\bpresupuesto\b|\b(?:set aside|allocated|earmarked)\b/i;
const MAX_CUE_DISTANCE = 60;
const OWN_BUDGET =
  /\b(?:unser|mein|notre|mon|nuestro|mi)\s+(?:budget|presupuesto)|\b(?:wir haben|nous avons|tenemos)\b|\b(?:my|our)\s+(?:[\w'-]+\s+){0,2}budget|\b(?:I|we)(?:\s+(?:have|had|only|also)|'ve)?\s+(?:[\w'-]+\s+){0,2}(?:budget|set aside|allocated|earmarked)/i;
const PAST_BUDGET =
  /\bbudgets?\s+(?:was|were)\b(?!\s+(?:\w+ly\s+)?(?:approved|set|raised|increased|cut|allocated|confirmed))|\bhad\s+(?:(?:a|an|the|their|his|her|no|some)\s*)?(?:[\w$€£.,]+\s+){0,3}budget|\blast\s+(?:year|quarter|month)/i;
const PRICE =
  /\b(?:price[sd]?|pricing|costs?|quotes?d?|offers?|fee|invoice)\b|\b(?:above|over|below|under|exceeds?|beyond|outside(?: of)?|within|more than)\s+(?:their|the|his|her|our|your|any)\s+(?:\w+\s+)?budget/i;

/** Finds amounts of money that the sentence calls a budget. Several amounts need review. */
export const budgetRule: ExtractionRule = {
  id: 'budget',
  find(sentence, context): Match[] {
    const cue = CUE.exec(sentence);
    if (!cue) return [];
    const amounts = findMoney(sentence).filter(
      ({ start, end }) => start - (cue.index + cue[0].length) < MAX_CUE_DISTANCE && cue.index - end < MAX_CUE_DISTANCE,
    );
    const reviewReason = amounts.length > 1 ? 'several_values' : checkBudgetOwner(sentence, context);
    return amounts.map(({ value, start, end }) => ({
      property: 'budget',
      value,
      start: Math.min(start, cue.index),
      end: Math.max(end, cue.index + cue[0].length),
      reviewReason,
    }));
  },
};

function checkBudgetOwner(sentence: string, context: ExtractionContext): ReviewReason | undefined {
  if (PRICE.test(sentence)) return 'unattributed';
  if (checkNamedSubject(sentence, context)) return 'somebody_else';
  const { isAuthor } = context;
  if (OWN_BUDGET.test(sentence) && !isAuthor) return 'first_person';
  return PAST_BUDGET.test(sentence) ? 'past' : undefined;
}
