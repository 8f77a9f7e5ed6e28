import fc from 'fast-check';
import { findQuote, quoteFinder } from '#domain/extract/quote-span.js';
import { parseKnownNames, listModelTechnologies } from '#domain/extract/known-names.js';
import { parseLlmResponse } from '#domain/extract/llm-extraction.js';
import {
  type ExtractionSource,
  mergeExtractions,
  type ExtractionCandidate,
} from '#domain/extract/merge-extractions.js';
import type { JsonValue } from '#domain/observation/observation.js';

describe('a quote', () => {
  it('is found whatever its white space, case and quotation marks', () => {
    const text = 'She said:\n “I am  now\tthe CRO”. Fine.';
    expect(findQuote('i AM now the cro', text)).toEqual({ start: 12, end: 29 });
    expect(findQuote('"I am now the CRO"', text)).toEqual({ start: 11, end: 30 });
    for (const quote of ['', ' ', '.', 'I am now the CFO', 'ow the CR']) expect(findQuote(quote, text)).toBeUndefined();
  });

  it('within words everywhere is none, and soon given up', () => {
    const find = quoteFinder('a'.repeat(50_000));
    for (const quote of Array.from({ length: 1_000 }, (_, i) => 'a'.repeat(2 + i))) expect(find(quote)).toBeUndefined();
  });

  it('every stretch of words of a text is found in it', () => {
    const word = fc
      .string({ unit: 'grapheme', minLength: 2, maxLength: 8 })
      .filter(w => /^[\p{L}\p{N}]{2,}$/u.test(w.replaceAll('ʼ', '')));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), fc.nat(7), fc.nat(7), (words, a, b) => {
        const part = words.slice(Math.min(a, b, words.length - 1), Math.max(a, b) + 1);
        const span = findQuote(part.join('  '), words.join('\n'));
        expect(span && words.join('\n').slice(span.start, span.end).toLowerCase()).toBe(part.join('\n').toLowerCase());
      }),
    );
  });
});

describe('the entry points together', () => {
  const stated = (source: ExtractionSource, method: string, r: number, value: JsonValue): ExtractionCandidate => ({
    source,
    input: { kind: 'state', property: 'title', value, source: 'agent', method },
    r,
    quote: source === 'agent' ? null : String(value),
  });

  it('say the same once, by the most reliable one, and name every method', () => {
    const merged = mergeExtractions([
      [stated('agent', 'api', 0.75, 'CRO')],
      [stated('rules', 'rules:role', 0.55, 'cro ')],
      [stated('llm', 'llm:m', 0.9, 'CRO'), stated('llm', 'llm:m', 0.5, 'CEO')],
    ]);
    expect(merged).toMatchObject([
      { source: 'llm', r: 0.9, quote: 'cro ', methods: ['llm:m', 'api', 'rules:role'] },
      { source: 'llm', input: { value: 'CEO' }, methods: ['llm:m'] },
    ]);
  });

  it('keeps two candidates of one source', () => {
    expect(mergeExtractions([[stated('agent', 'api', 0.75, 'CRO'), stated('agent', 'api', 0.75, 'CRO')]])).toHaveLength(
      2,
    );
  });
});

describe('the answer of a model', () => {
  const text = 'She is the CRO. She might leave. Is she in Oslo?\n> She is the CEO.';
  const read = (...facts: unknown[]) => parseLlmResponse({ facts }, text);

  it('counts where its quote stands in the text and nothing speaks against it', () => {
    expect(read({ property: 'title', value: 'CRO', quote: 'she is  the cro' })).toMatchObject({
      facts: [{ property: 'title', value: 'CRO', quote: 'She is the CRO' }],
      rejected: [],
    });
    expect(
      read(
        { property: 'company', value: null, quote: 'She might leave' },
        { property: 'location', value: 'Oslo', quote: 'Is she in Oslo?' },
        { property: 'title', value: 'CEO', quote: 'She is the CEO' },
      )?.facts.map(({ reviewReason }) => reviewReason),
    ).toEqual(['hedged', 'question', 'unattributed']);
  });

  it('is turned down without a quote, with one of its own, and beyond what it may state', () => {
    const broken = [
      { property: 'title', value: 'CRO' },
      { property: 'title', value: 'CRO', quote: 'the chief revenue officer' },
      { property: 'email', value: 'x@acme.com', quote: 'She is the CRO' },
      { property: 'title', value: { x: 1 }, quote: 'She is the CRO' },
      'x',
    ];
    expect(read(...broken)).toMatchObject({ facts: [], rejected: broken.map(() => ({ why: expect.any(String) })) });
    for (const answer of [null, [], {}, { facts: 1 }, 'x']) expect(parseLlmResponse(answer, text)).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.jsonValue(), answer => void read(answer)));
  });
});

it('names are found in lists of any form', () => {
  expect(parseKnownNames(['Gong', { name: 'Chorus' }, 'Gong'])).toEqual(['Gong', 'Chorus']);
  expect(parseKnownNames({ text: '# Rivals\n- **Gong**: loud\n2. Chorus (old)\n' })).toEqual(['Gong', 'Chorus']);
  expect(parseKnownNames('Gong, Chorus')).toEqual(['Gong', 'Chorus']);
  expect(parseKnownNames(undefined)).toEqual([]);
  const model = {
    fit: [{ property: 'technologies', op: 'contains_any', value: ['Segment'] }],
    pain: [{ technology: ['dbt'] }],
  };
  expect(listModelTechnologies(model)).toEqual(['Segment', 'dbt']);
});
