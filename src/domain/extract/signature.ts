import { findFunctions, findRank } from '../comparison/titles.js';
import type { Extraction, ExtractionContext } from './extraction.js';
import { namesOverlap } from './review-rules.js';
import { EMAIL_PATTERN, LINKEDIN_PROFILE_PATTERN } from './rules/contact.js';

const CLOSING =
  /^[ \t]{0,8}(?:(?:with |many |best|kind|kindest|warm|warmest) ?(?:regards|thanks|w[a-z]{3}es)?|regards|all the best|cheers|thanks|thank you|sincerely|yours(?: \w+)?|--|(?:viele|beste|liebe|freundliche|herzliche) grüße|mit (?:freundlichen|besten) grüßen|mfg|vg|lg|(?:bien )?cordialement|bien à vous|(?:un )?(?:cordial )?saludos?(?: cordiales)?|atentamente)[ \t]{0,3}[,.!]{0,2}[ \t]{0,8}$/i;
const MAX_LINES = 9;
const MAX_PART_LENGTH = 80;
const SEPARATOR = /[|•·]|\s[-–—]\s/;
const PHONE = /(?<![\w.,/-])(?:\+|00)\d[\d ().\-/]{5,20}\d(?![\w/-])/;
const OTHER_LINE = /\bfax\b/i;
const LABEL = /^(?:t|m|p|tel|tél|telefon|téléphone|teléfono|phone|mobile?|mobil|móvil|cell|direct)(?![\p{L}])/iu;
const COMPANY_NAME = /^\p{Lu}[\p{L}\p{N}&.' +-]{1,60}$/u;
const LEGAL_FORM =
  /\s(?:gmbh|ag|se|kg|ug|inc|llc|ltd|limited|corp|sa|sas|sarl|sl|slu|srl|spa|bv|nv|ab|oy|aps|plc)\.?$/i;

interface Part {
  readonly text: string;
  readonly start: number;
}

/**
 * Returns what the signature below the contact's own message states: title, company, phone number, address and profile.
 * The signature begins with the contact's name after a closing such as `Best regards`. Never throws.
 */
export function extractSignature(text: string, context: ExtractionContext): Extraction[] {
  if (!context.isAuthor || context.subject !== 'person') return [];
  const [first, ...parts] = splitParts(text);
  if (!first || (context.names.length > 0 && !namesOverlap(first.text, context.names))) return [];
  const found: Extraction[] = [];
  let hasTitle = false;
  for (const part of parts.flatMap(splitEmployer)) {
    const read: Extraction | undefined = readContactPart(part) ?? readJobPart(part, hasTitle, found);
    if (read === undefined) continue;
    hasTitle ||= read.property === 'title';
    if (!found.some(({ property }) => property === read.property)) found.push(read);
  }
  return found;
}

/** Returns the parts of the lines after the last closing: lines, split at bars. The first one is the name. */
function splitParts(text: string): Part[] {
  const lines: Part[] = [];
  let [start, from] = [0, -1];
  for (const line of text.split('\n')) {
    lines.push({ text: line, start });
    if (CLOSING.test(line)) from = lines.length;
    start += line.length + 1;
  }
  if (from < 0) return [];
  const below = lines.slice(from).filter(line => line.text.trim() !== '');
  const end = below.findIndex(({ text: line }) => line.startsWith('>'));
  return below.slice(0, Math.min(MAX_LINES, end < 0 ? MAX_LINES : end)).flatMap(splitLine);
}

function splitLine({ text, start }: Part): Part[] {
  let at = start;
  return text.split(SEPARATOR).flatMap(piece => {
    const found = text.indexOf(piece, at - start) + start;
    at = found + piece.length;
    const lead = piece.length - piece.trimStart().length;
    return piece.trim() === '' || piece.length > MAX_PART_LENGTH ? [] : [{ text: piece.trim(), start: found + lead }];
  });
}

/** Splits `Head of Legal at Acme` into title and company. */
function splitEmployer(part: Part): Part[] {
  const at = /\s(?:at|@|bei|chez)\s(?=\p{Lu})/u.exec(part.text);
  if (!at) return [part];
  const end = at.index + at[0].length;
  return [
    { text: part.text.slice(0, at.index), start: part.start },
    { text: part.text.slice(end), start: part.start + end },
  ];
}

function readContactPart(part: Part): Extraction | undefined {
  if (OTHER_LINE.test(part.text)) return undefined;
  const email = [...part.text.matchAll(EMAIL_PATTERN)][0]?.[0];
  if (email !== undefined) return toExtraction('email', email, part);
  const profile = [...part.text.matchAll(LINKEDIN_PROFILE_PATTERN)][0]?.[0];
  if (profile !== undefined) return toExtraction('linkedin_url', profile, part);
  const phone = PHONE.exec(part.text)?.[0];
  const rest = phone === undefined ? '' : part.text.replace(phone, '').replaceAll(/[^\p{L}]/gu, '');
  return phone !== undefined && (rest === '' || LABEL.test(part.text)) ? toExtraction('phone', phone, part) : undefined;
}

function readJobPart(part: Part, hasTitle: boolean, found: readonly Extraction[]): Extraction | undefined {
  const isPlain = !/[\d@/]/.test(part.text) && part.text.split(/\s+/).length <= 8;
  if (!isPlain) return undefined;
  if (LEGAL_FORM.test(part.text)) return toExtraction('company', part.text, part);
  if (!hasTitle) {
    const isTitle = findRank(part.text) !== 'individual' || findFunctions(part.text).size > 0;
    return isTitle ? toExtraction('title', part.text, part) : undefined;
  }
  const isNext = found.at(-1)?.property === 'title';
  return isNext && COMPANY_NAME.test(part.text) ? toExtraction('company', part.text, part) : undefined;
}

function toExtraction(property: string, value: string, { text, start }: Part): Extraction {
  const at = start + text.indexOf(value);
  return { kind: 'state', property, value, rule: 'signature', start: at, end: at + value.length, quote: value };
}
