import { extract } from '#domain/extract/extract.js';
import type { ReviewReason, ExtractionContext } from '#domain/extract/extraction.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { reading } from '../../support/graph/reading.js';
import { vectorsOf } from '../../support/vectors.js';

interface Vector {
  readonly why: string;
  readonly text: string;
  readonly context?: Partial<ExtractionContext>;
  /** Property and value of what nothing speaks against. */
  readonly sure: readonly [property: string, value: JsonValue][];
  /** Property and why it is doubted. */
  readonly doubtful: readonly [property: string, why: ReviewReason][];
}

it.each(vectorsOf<Vector>('extract/sentences'))('$why: $text', ({ text, context, sure, doubtful }) => {
  const read = extract(text, reading(context));
  expect({
    sure: read.filter(each => !each.reviewReason).map(({ property, value }) => [property, value]),
    doubtful: read.flatMap(({ property, reviewReason }) => (reviewReason ? [[property, reviewReason]] : [])),
  }).toEqual({ sure, doubtful });
  for (const { quote, start, end } of read) expect(text.slice(start, end)).toBe(quote);
});
