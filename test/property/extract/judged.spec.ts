import { extract } from '#domain/extract/extract.js';
import type { ExtractionContext } from '#domain/extract/extraction.js';
import { canonicalKey } from '#domain/comparison/canonical-key.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { reading } from '../../support/graph/reading.js';
import { vectorsOf } from '../../support/vectors.js';

interface JudgedText {
  readonly text: string;
  readonly context?: Partial<ExtractionContext>;
  readonly facts: readonly (readonly [property: string, value: JsonValue])[];
}

const keyOf = (property: string, value: JsonValue) => `${property} ${canonicalKey(value)}`;

function stateFacts({ text, context }: JudgedText): string[] {
  return extract(text, reading({ names: ['Ada Lovelace'], companies: ['Acme'], ...context }))
    .filter(({ reviewReason }) => !reviewReason)
    .map(({ property, value }) =>
      property.startsWith('action_item.')
        ? keyOf('action_item', (value as { readonly due?: string }).due ?? null)
        : keyOf(property, value),
    );
}

const missing = ({ facts }: JudgedText, stated: readonly string[]) =>
  facts.map(fact => keyOf(...fact)).filter(key => !stated.includes(key));

describe('extract', () => {
  it.each(vectorsOf<JudgedText>('extract/hard'))('states exactly what a hard sentence states: $text', judged => {
    const stated = stateFacts(judged);
    expect(new Set(stated)).toEqual(new Set(judged.facts.map(fact => keyOf(...fact))));
  });

  it('states nothing that an ordinary text does not state', () => {
    const wrong = vectorsOf<JudgedText>('extract/ordinary').flatMap(judged =>
      stateFacts(judged).filter(key => !judged.facts.some(fact => keyOf(...fact) === key)),
    );
    expect(wrong).toEqual([]);
  });

  it('misses at most a quarter of what ordinary texts state', () => {
    const texts = vectorsOf<JudgedText>('extract/ordinary');
    const missed = texts.flatMap(judged => missing(judged, stateFacts(judged)));
    expect(missed.length / texts.flatMap(({ facts }) => facts).length).toBeLessThan(0.25);
  });
});
