import { foldedText } from '#domain/claims/canon.js';
import type { Doubt, ReadingContext } from './extraction.js';

/** A name begins at the first capital of its word: every later one would lead to the same end, and cost as much again. */
const NAME = String.raw`I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[Ww]ho|\p{Lu}(?<!\p{Lu}[\p{L}'-]*?\p{Lu})[\p{L}'-]*(?: \p{Lu}[\p{L}.'-]*){0,3}`;
/** An address behind a name, bare or in brackets as mail programs write it. */
const ITS_ADDRESS = String.raw`\s+[<(]?[^\s<>()@]{1,64}@[^\s<>()@]{1,255}[>)]?`;

/** Pattern of who does something: up to four capitalised words, with their address or not, or a pronoun. */
export const WHO = `(?<who>${NAME})(?:${ITS_ADDRESS})?`;

const LONG_ENOUGH = 4;
const PRONOUN = /^(?:he|she|they|who)$/i;
const FIRST_PERSON = /^(?:i|we)$/i;

/** Whether a sentence with this grammatical subject is about the contact. Left out, it is: notes are written so. */
export function doubtAboutWhom(who: string | undefined, context: ReadingContext): Doubt | undefined {
  if (who === undefined || PRONOUN.test(who)) return undefined;
  if (FIRST_PERSON.test(who)) return context.isAuthor ? undefined : 'first_person';
  if (context.names.length === 0) return undefined;
  return sharesWord(who, context.names) ? undefined : 'somebody_else';
}

/** Whether a name has a word in common with one of others. */
export function sharesWord(name: string, others: readonly string[]): boolean {
  const words = others.flatMap(wordsOf);
  return wordsOf(name).some(word => words.some(known => known === word || isWithin(word, known)));
}

/** `lovelace` is within `alovelace`, as the local part of an address may be. */
function isWithin(word: string, known: string): boolean {
  return word.length >= LONG_ENOUGH && known.includes(word);
}

function wordsOf(name: string): string[] {
  return foldedText(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word.length > 1);
}
