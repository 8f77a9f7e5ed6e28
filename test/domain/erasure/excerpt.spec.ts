import fc from 'fast-check';
import { excerpt } from '#domain/erasure/excerpt.js';
import type { JsonValue } from '#domain/observation/observation.js';

const isAboutAda = (part: JsonValue) => JSON.stringify(part).includes('ada');

describe('the excerpt of a JSON value about somebody', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['objects of a list that are about others go', [{ who: 'ada' }, { who: 'bob' }], [{ who: 'ada' }]],
    ['nested lists are cut too', { to: [{ who: 'bob' }, { who: 'ada', n: 1 }] }, { to: [{ who: 'ada', n: 1 }] }],
    ['texts of such a list go', [{ who: 'ada' }, 'bob'], [{ who: 'ada' }]],
    ['a list of texts stays', { tags: ['ada', 'bob'] }, { tags: ['ada', 'bob'] }],
    [
      'a list that is about nobody stays',
      { who: 'ada', phones: [{ n: 1 }, { n: 2 }] },
      { who: 'ada', phones: [{ n: 1 }, { n: 2 }] },
    ],
  ])('%s', (_title, value, expected) => {
    expect(excerpt(value, isAboutAda)).toEqual(expected);
  });

  it('is about them exactly if the value is, and is its own excerpt', () => {
    const text = fc.constantFrom('ada', 'bob', 'eve');
    const json = fc.letrec<{ value: JsonValue }>(tie => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.constant(null),
        fc.array(tie('value')),
        fc.dictionary(text, tie('value')),
      ),
    })).value;
    fc.assert(
      fc.property(json, value => {
        const cut = excerpt(value, isAboutAda);
        expect(isAboutAda(cut)).toBe(isAboutAda(value));
        expect(excerpt(cut, isAboutAda)).toEqual(cut);
      }),
    );
  });
});
