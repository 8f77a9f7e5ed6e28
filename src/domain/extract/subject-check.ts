import { foldText } from '#domain/claims/canonical-key.js';
import type { ReviewReason, ExtractionContext } from './extraction.js';

/** A name starts at the first capital of its word: every later one would match the same end at the same cost again. */
const NAME = String.raw`I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[Ww]ho|\p{Lu}(?<!\p{Lu}[\p{L}'-]*?\p{Lu})[\p{L}'-]*(?: \p{Lu}[\p{L}.'-]*){0,3}`;
/** An address after a name, bare or in brackets as mail programs write it. */
const ADDRESS_SUFFIX = String.raw`\s+[<(]?[^\s<>()@]{1,64}@[^\s<>()@]{1,255}[>)]?`;

/** Pattern of a grammatical subject: up to four capitalised words, optionally with an address, or a pronoun. */
export const SUBJECT_PATTERN = `(?<who>${NAME})(?:${ADDRESS_SUFFIX})?`;

const MIN_PARTIAL_LENGTH = 4;
const PRONOUN = /^(?:he|she|they|who)$/i;
const FIRST_PERSON = /^(?:i|we)$/i;

/**
 * Checks whether a sentence with this grammatical subject is about the contact. A missing subject is the contact: notes
 * are written so.
 */
export function checkSubject(who: string | undefined, context: ExtractionContext): ReviewReason | undefined {
  if (who === undefined || PRONOUN.test(who)) return undefined;
  if (FIRST_PERSON.test(who)) return context.isAuthor ? undefined : 'first_person';
  if (context.names.length === 0) return undefined;
  return namesOverlap(who, context.names) ? undefined : 'somebody_else';
}

/** Returns whether a name shares a word with any of the others. */
export function namesOverlap(name: string, others: readonly string[]): boolean {
  const words = others.flatMap(splitName);
  return splitName(name).some(word => words.some(known => known === word || isPartOf(word, known)));
}

/** Matches `lovelace` within `alovelace`, as in the local part of an address. */
function isPartOf(word: string, known: string): boolean {
  return word.length >= MIN_PARTIAL_LENGTH && known.includes(word);
}

function splitName(name: string): string[] {
  return foldText(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word.length > 1);
}
