import { composeName } from './names.js';
import { withoutLegalForms } from './legal-forms.js';
import { areNicknames, splitName, toIndexedWord } from './name-words.js';
import { editDistance } from '#domain/text/spelling.js';

/** Shorter words are too similar to each other for one edit to be a typing error. */
const MIN_TYPO_LENGTH = 3;

/** A statement about an entity, as far as it may be its name. */
interface NameStatement {
  readonly property: string;
  readonly value: unknown;
}

/**
 * Returns whether two names may belong to one entity: some word of one is, up to one edit, a word of the other, a
 * nickname or an initial of it. A name without words fits every other one.
 */
export function areNamesCompatible(one: string, other: string): boolean {
  const [words, others] = [withoutLegalForms(splitName(one)), withoutLegalForms(splitName(other))];
  if (words.length === 0 || others.length === 0) return true;
  return words.some(word => others.some(candidate => isSameWord(word, candidate)));
}

/** Returns whether all names of one side fit all names of the other; true if one side has none. */
export function haveCompatibleNames(one: readonly string[], other: readonly string[]): boolean {
  return one.every(name => other.every(candidate => areNamesCompatible(name, candidate)));
}

/** Returns the name that statements give an entity; undefined if they give none. */
export function findStatedName(statements: readonly NameStatement[]): string | undefined {
  const text = (property: string) => {
    const value = statements.findLast(statement => statement.property === property)?.value;
    return typeof value === 'string' ? value : undefined;
  };
  return composeName(text('name')) ?? composeName(text('first_name'), text('last_name'));
}

function isSameWord(one: string, other: string): boolean {
  const [first, second] = [toIndexedWord(one), toIndexedWord(other)];
  if (first === second || areNicknames(one, other)) return true;
  const shorter = Math.min(first.length, second.length);
  if (shorter === 1) return first[0] === second[0];
  return shorter >= MIN_TYPO_LENGTH && Math.abs(first.length - second.length) <= 1 && editDistance(first, second) <= 1;
}
