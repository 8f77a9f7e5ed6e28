import { canonicalKey } from '#domain/comparison/canonical-key.js';
import { extract } from '#domain/extract/extract.js';
import type { Extraction, ExtractionContext } from '#domain/extract/extraction.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { reading } from '../../test/support/graph/reading.ts';
import { vectorsOf } from '../../test/support/vectors.ts';

/** A text with the facts that it states about the contact; of a commitment, the day that it is due. */
export interface JudgedText {
  readonly text: string;
  readonly context?: Partial<ExtractionContext>;
  readonly facts: readonly (readonly [property: string, value: JsonValue])[];
}

/** What the extractor states about texts, beside what the texts state. */
export interface ExtractionFigures {
  readonly cases: number;
  readonly precision: number;
  readonly recall: number;
  /** Stated facts that the text does not state, each with its text. */
  readonly wrong: readonly string[];
  /** Facts of the text that were not stated. */
  readonly missed: readonly string[];
}

/** Returns the texts of a set below `test/vectors/extract`. */
export const judgedTexts = (name: 'hard' | 'ordinary'): JudgedText[] => vectorsOf<JudgedText>(`extract/${name}`);

/** Extracts from every text as if it were about Ada Lovelace of Acme, and compares the facts that need no review. */
export function measureExtraction(texts: readonly JudgedText[]): ExtractionFigures {
  const [wrong, missed]: [string[], string[]] = [[], []];
  let right = 0;
  for (const { text, context, facts } of texts) {
    const read = reading({ names: ['Ada Lovelace'], companies: ['Acme'], ...context });
    const stated = extract(text, read).filter(({ reviewReason }) => !reviewReason);
    const found = new Set(stated.map(each => keyOf(...toFact(each))));
    const judged = new Set(facts.map(fact => keyOf(...fact)));
    for (const key of found) {
      if (judged.has(key)) right += 1;
      else wrong.push(`${key} in: ${text}`);
    }
    for (const key of judged) if (!found.has(key)) missed.push(`${key} in: ${text}`);
  }
  return {
    cases: texts.length,
    precision: right / Math.max(1, right + wrong.length),
    recall: right / Math.max(1, right + missed.length),
    wrong,
    missed,
  };
}

function toFact({ property, value }: Extraction): [string, JsonValue] {
  if (!property.startsWith('action_item.')) return [property, value];
  return ['action_item', (value as { readonly due?: string }).due ?? null];
}

function keyOf(property: string, value: JsonValue): string {
  return `${property} ${canonicalKey(value)}`;
}
