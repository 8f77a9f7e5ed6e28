import { foldText } from '#domain/claims/canonical-key.js';
import type { ReviewReason, ExtractionContext } from './extraction.js';

/** A name begins at the first capital of its word: every later one would lead to the same end, and cost as much again. */
const NAME = String.raw`I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[Ww]ho|\p{Lu}(?<!\p{Lu}[\p{L}'-]*?\p{Lu})[\p{L}'-]*(?: \p{Lu}[\p{L}.'-]*){0,3}`;
/** An address behind a name, bare or in brackets as mail programs write it. */
const ADDRESS_SUFFIX = String.raw`\s+[<(]?[^\s<>()@]{1,64}@[^\s<>()@]{1,255}[>)]?`;

/** Pattern of who does something: up to four capitalised words, with their address or not, or a pronoun. */
export const SUBJECT_PATTERN = `(?<who>${NAME})(?:${ADDRESS_SUFFIX})?`;

const MIN_PARTIAL_LENGTH = 4;
const PRONOUN = /^(?:he|she|they|who)$/i;
const FIRST_PERSON = /^(?:i|we)$/i;

/** Whether a sentence with this grammatical subject is about the contact. Left out, it is: notes are written so. */
export function checkSubject(who: string | undefined, context: ExtractionContext): ReviewReason | undefined {
  if (who === undefined || PRONOUN.test(who)) return undefined;
  if (FIRST_PERSON.test(who)) return context.isAuthor ? undefined : 'first_person';
  if (context.names.length === 0) return undefined;
  return namesOverlap(who, context.names) ? undefined : 'somebody_else';
}

/** Whether a name has a word in common with one of others. */
export function namesOverlap(name: string, others: readonly string[]): boolean {
  const words = others.flatMap(splitName);
  return splitName(name).some(word => words.some(known => known === word || isPartOf(word, known)));
}

/** `lovelace` is within `alovelace`, as the local part of an address may be. */
function isPartOf(word: string, known: string): boolean {
  return word.length >= MIN_PARTIAL_LENGTH && known.includes(word);
}

function splitName(name: string): string[] {
  return foldText(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word.length > 1);
}
