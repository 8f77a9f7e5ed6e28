/** A part of a description, and whether it says what is wanted. */
export interface DescriptionPart {
  readonly text: string;
  readonly isExclusion: boolean;
}

/** Maximum number of characters of a sentence that are read as one. */
const MAX_SENTENCE_LENGTH = 2_000;

const SENTENCE_END = /(?<=[.;!?]) /;
const BULLET = /^(?:[-*•–—]|\d{1,2}[.)]) /;

/** Begins an exclusion; `no more than` and `not only` do not. */
const EXCLUSION =
  /\b(?:(?:but |and |or )?(?:no|not)(?! (?:more|less|fewer|larger|smaller|bigger) than\b| only\b| just\b| matter\b)|never|nobody|no one|none of|exclud(?:e|es|ed|ing)|exclusions?:?|except(?: for)?|avoid(?:ing)?|without|(?:do|does|did|will|would|can|are|is)(?:n['’]t| not)|can['’]t|won['’]t|(?:bad|poor|wrong) fits?|disqualif(?:y|ies|ied|ying|iers?)|deal ?breakers?|red flags?|anti-?icp|ignore|skip|out of scope|unsuitable|other than|rather than|instead of|steer clear of|stay away from)\b/gi;

/** Ends an exclusion within a sentence. */
const RESUMPTION =
  /[,;–—] ?(?=(?:but|we|our|they|with|who|that|ideally|preferably|mostly|mainly|instead|only|just|and we|target|focus)\b)|\b(?=but (?!not\b|no\b|never\b))|\b(?=(?:we (?:sell|target|want|focus|like|love|serve|work|look)|(?:ideally|preferably)\b))/i;

/** Splits a description into sentences. Spaces are joined and bullets removed; a bullet has the words of its heading. */
export function splitDescription(text: string): string[] {
  const lines = text.split('\n').map(line => line.trim().split(/\s+/).join(' '));
  return joinHeadings(lines)
    .flatMap(line => line.split(SENTENCE_END))
    .flatMap(sentence => splitLong(sentence.trim()))
    .filter(sentence => sentence !== '');
}

/** Puts a line that ends with a colon before each of the bullets that follow it: `No agencies:`, `- in Spain`. */
function joinHeadings(lines: readonly string[]): string[] {
  let heading = '';
  return lines.map((line, i) => {
    const text = line.replace(BULLET, '');
    if (text !== line) return heading === '' ? text : `${heading} ${text}`;
    heading = line.endsWith(':') ? line : '';
    const hasBullets = heading !== '' && BULLET.test(lines[i + 1] ?? '');
    return hasBullets ? '' : line;
  });
}

function splitLong(sentence: string): string[] {
  const parts: string[] = [];
  for (let i = 0; i < sentence.length; i += MAX_SENTENCE_LENGTH) parts.push(sentence.slice(i, i + MAX_SENTENCE_LENGTH));
  return parts;
}

/** What the workspace sells itself is nothing that a customer has: `we sell HR software to restaurants`. */
const OWN_PRODUCT = /\b(we (?:sell|offer|provide|make|build|develop)) (?!to\b|for\b)[^,;:]{1,200}? (to|for)\b/i;

/**
 * Splits a sentence into what is wanted and what is excluded: an exclusion reaches to the next one or to a resumption. What
 * the workspace sells is left out.
 */
export function splitParts(given: string): DescriptionPart[] {
  const sentence = given.replace(OWN_PRODUCT, '$1 $2');
  const starts = [...sentence.matchAll(EXCLUSION)].map(({ index }) => index);
  const wanted = { text: sentence.slice(0, starts[0] ?? sentence.length), isExclusion: false };
  const excluded = starts.flatMap((start, i) => {
    const text = sentence.slice(start, starts[i + 1] ?? sentence.length);
    const [exclusion = '', ...rest] = splitOnce(text, RESUMPTION);
    return [{ text: exclusion, isExclusion: true }, ...rest.map(each => ({ text: each, isExclusion: false }))];
  });
  return [wanted, ...excluded].map(part => ({ ...part, text: part.text.trim() })).filter(({ text }) => text !== '');
}

function splitOnce(text: string, pattern: RegExp): string[] {
  const match = pattern.exec(text.slice(1));
  if (!match) return [text];
  const at = match.index + 1;
  return [text.slice(0, at), text.slice(at + match[0].length)];
}
