import type { Instant } from '../../time/instant.js';
import type { ExtractionContext, ExtractionRule, Match } from '../extraction.js';
import { checkSubject, SUBJECT_PATTERN } from '../review-rules.js';
import { findDate, toUtcDay } from './dates.js';

const DOES =
  'send|share|call|get back|follow up|prepare|deliver|provide|schedule|book|introduce|check|confirm|review|sign|write|email|e-mail|reply|come back|set up|draft|present|update|let (?:me|us|you|them|him|her) know|submit|return|finish|organi[sz]e|arrange|talk to|speak to|ping';
const PROMISE = new RegExp(
  `(?<![\\p{L}\\p{N}'-])${SUBJECT_PATTERN}(?:(?:\\s+will|'ll|\\s+(?:am|is|are) going to)(?:\\s+(?:also|then))?|\\s+(?:promised|agreed|committed|need|needs|have|has)(?:\\s+(?:us|me|them|her|him))?\\s+to)\\s+(?<what>(?:${DOES})(?![\\p{L}]).*)`,
  'u',
);
const LABELLED =
  /^\W*(?<label>next steps?|to-?dos?|action items?|follow[- ]?up|nächste[rn]? schritte?|aufgaben?|prochaines? étapes?|à faire|próximos? pasos?|tareas?)\s{0,3}[:=–-]\s{0,3}(?<what>\S.*)/iu;
const CONDITION = /\b(?:if|unless|whether|once|until|in case|as soon as|when|after)\b/i;
const DUE = /(?:^|\s)(?:by|on|before|until|till|at|no later than|this|next|tomorrow|today|bis|am|avant|le|el|antes)\s/i;
/** Months in German, French and Spanish. */
const MONTHS = [
  'januar|jänner|janvier|enero',
  'februar|février|febrero',
  'märz|mars|marzo',
  'avril|abril',
  'mai|mayo',
  'juni|juin|junio',
  'juli|juillet|julio',
  'august|août|agosto',
  'septembre|septiembre',
  'oktober|octobre|octubre',
  'november|novembre|noviembre',
  'dezember|décembre|diciembre',
];
const TRANSLATED_DAY = new RegExp(
  String.raw`(?<!\d)(?<day>0?[1-9]|[12]\d|3[01])\.?\s(?:de\s)?(?<month>${MONTHS.join('|')})(?![\p{L}])(?:\s(?:de\s|del\s)?(?<year>20\d\d))?`,
  'iu',
);
const MAX_TEXT_LENGTH = 200;
const MAX_ID_LENGTH = 50;

/** Finds promises with a date, and next steps that a note lists: `I will send it by Friday`, `Next step: demo`. */
export const commitmentRule: ExtractionRule = {
  id: 'commitment',
  find(sentence, context) {
    const labelled = LABELLED.exec(sentence);
    if (labelled) return readLabelled(sentence, labelled, context.at);
    const match = PROMISE.exec(sentence);
    return match ? readPromise(sentence, match, context) : [];
  },
};

function readLabelled(sentence: string, match: RegExpExecArray, at: Instant): Match[] {
  const what = match.groups!['what']!;
  const due = findDue(what, at);
  if (/^(?:none|nothing|n\/a|tbd|open|keine|aucune?|ninguno)\b/i.test(what)) return [];
  return [toMatch(match.index, sentence, what, due, undefined)];
}

function readPromise(sentence: string, match: RegExpExecArray, context: ExtractionContext): Match[] {
  const { who = '', what = '' } = match.groups!;
  const due = DUE.test(what) ? findDue(what, context.at) : undefined;
  if (due === undefined) return [];
  const isOurs = /^(?:i|we)$/i.test(who);
  const reviewReason = CONDITION.test(what) ? 'hedged' : isOurs ? undefined : checkSubject(who, context);
  return [toMatch(match.index, sentence, what, due, reviewReason)];
}

function findDue(text: string, at: Instant): string | undefined {
  return findTranslatedDay(text, at) ?? findDate(text, at)?.day;
}

/** Finds a day such as `2. Dezember 2026`, `2 décembre` or `2 de diciembre de 2026`; without a year, the next one. */
function findTranslatedDay(text: string, at: Instant): string | undefined {
  const { day, month, year } = TRANSLATED_DAY.exec(text)?.groups ?? {};
  if (day === undefined || month === undefined) return undefined;
  const place = MONTHS.findIndex(names => names.split('|').includes(month.toLowerCase()));
  const today = toUtcDay(at);
  const toDay = (of: number) => `${of}-${String(place + 1).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const thisYear = Number(today.slice(0, 4));
  const found = toDay(year === undefined ? thisYear : Number(year));
  return year === undefined && found < today ? toDay(thisYear + 1) : found;
}

function toMatch(
  start: number,
  sentence: string,
  what: string,
  due: string | undefined,
  reviewReason: Match['reviewReason'],
): Match {
  const text = what.replace(/(?<=[^.\s])[.\s]{1,3}$/, '').slice(0, MAX_TEXT_LENGTH);
  return {
    property: `action_item.${toId(text)}`,
    value: { text, ...(due !== undefined && { due }), status: 'open' },
    start,
    end: sentence.length,
    future: true,
    modal: true,
    reviewReason,
  };
}

/** Returns an identifier of a text that is the same each time the text is read. */
function toId(text: string): string {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, MAX_ID_LENGTH)
    .replaceAll(/^_|_$/g, '');
  return plain === '' ? 'item' : plain;
}
