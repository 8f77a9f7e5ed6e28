import { customer } from './thesaurus/customer.js';
import { market } from './thesaurus/market.js';
import { money } from './thesaurus/money.js';
import { pain } from './thesaurus/pain.js';
import { people } from './thesaurus/people.js';
import { process } from './thesaurus/process.js';
import { selling } from './thesaurus/selling.js';
import { talk } from './thesaurus/talk.js';
import { technology } from './thesaurus/technology.js';
import { stem } from './stem.js';
import { type Token, tokenize, splitWords } from './words.js';

/** Prefix of concept tokens; no word has it. */
const CONCEPT_PREFIX = '~';

/** A phrase as stems, including stop words, with its concept. */
interface Phrase {
  readonly stems: readonly string[];
  readonly concept: string;
}

/** All concepts of sales language: name and phrases. */
export const concepts: ReadonlyMap<string, readonly string[]> = new Map(
  [money, people, process, customer, market, pain, technology, talk, selling].flatMap(splitLines).map(parseLine),
);

const phrasesByFirst = indexPhrases();

/**
 * Returns a token such as `~churn` for each concept in a text, without duplicates. Applied to both documents and
 * questions, it matches texts that share no word. A concept is as rare as all its words together.
 */
export function findConcepts(text: string): string[] {
  return [...new Set(findConceptTokens(text).map(token => token.text))];
}

/** Returns the concepts of a text as tokens with the positions of their phrases, in the order of their start. */
export function findConceptTokens(text: string): Token[] {
  const words = splitWords(text);
  const stems = words.map(word => stem(word.text));
  return stems.flatMap((first, i) =>
    (phrasesByFirst.get(first) ?? [])
      .filter(phrase => phrase.stems.every((word, j) => stems[i + j] === word))
      .map(phrase => ({
        text: CONCEPT_PREFIX + phrase.concept,
        start: words[i]!.start,
        end: words[i + phrase.stems.length - 1]!.end,
      })),
  );
}

/** Returns the search tokens of a text, followed by its concepts. */
export function expandTokens(text: string): string[] {
  return [...tokenize(text), ...findConcepts(text)];
}

function splitLines(text: string): string[] {
  return text.trim().split('\n');
}

function parseLine(line: string): [name: string, phrases: string[]] {
  const [name = '', phrases = ''] = line.split(': ');
  return [name, phrases.split(', ')];
}

function stemWords(text: string): string[] {
  return splitWords(text).map(word => stem(word.text));
}

function indexPhrases(): Map<string, Phrase[]> {
  const index = new Map<string, Phrase[]>();
  for (const [concept, phrases] of concepts) {
    for (const stems of phrases.map(stemWords)) {
      index.set(stems[0]!, [...(index.get(stems[0]!) ?? []), { stems, concept }]);
    }
  }
  return index;
}
