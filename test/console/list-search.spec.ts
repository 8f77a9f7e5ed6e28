import fc from 'fast-check';
import { findNeighbours } from '../../console/src/lists/neighbours.ts';
import { CONDITIONS, readListSearch, toFilter } from '../../console/src/lists/search.ts';
import { en, toLabel } from '../../console/src/words/en.ts';

const chip = fc.record({
  property: fc.string(),
  condition: fc.constantFrom(...CONDITIONS),
  value: fc.string(),
});

describe('the address of a list', () => {
  it('is read back as it was written, and leaves out what it cannot mean', () => {
    fc.assert(
      fc.property(fc.array(chip, { minLength: 1 }), fc.anything(), (chips, noise) => {
        const search = readListSearch({ q: 'ada', sort: '-name', chips: [...chips, noise, null, { property: 1 }] });
        expect(search.chips!.slice(0, chips.length)).toEqual(chips);
        expect([search.q, search.sort]).toEqual(['ada', '-name']);
      }),
    );
    expect(readListSearch({ q: 5, sort: '', chips: 'x' })).toEqual({ q: undefined, sort: undefined, chips: undefined });
  });

  it('becomes the filter of the API', () => {
    expect(toFilter([])).toBeUndefined();
    expect(toFilter([{ property: 'title', condition: 'contains', value: 'VP' }])).toBe('{"title":{"$contains":"VP"}}');
    const all = CONDITIONS.map(condition => ({ property: 'title', condition, value: '0.7' }));
    expect(JSON.parse(toFilter(all)!)).toEqual({
      $and: [
        { title: { $contains: '0.7' } },
        { title: { $eq: '0.7' } },
        { title: { $exists: true } },
        { title: { $exists: false } },
        { title: { freshness: '0.7' } },
        { title: { confidence: { $gte: 0.7 } } },
        { title: { epistemic_class: '0.7' } },
      ],
    });
  });

  it('reads as sentences', () => {
    const sentence = (condition: (typeof CONDITIONS)[number], value = '') =>
      en.chip({ property: 'email_status', condition, value });
    expect(CONDITIONS.map(condition => sentence(condition, 'x'))).toEqual([
      'email status contains “x”',
      'email status is “x”',
      'email status is known',
      'email status is unknown',
      'email status is x',
      'email status is at least x sure',
      'email status is x',
    ]);
    expect(toLabel('first_name')).toBe('first name');
  });
});

describe('the list that a person came from', () => {
  const list = { href: '/w/x/people?q=a', ids: ['a', 'b', 'c'] };

  it('names the rows before and after one of its own', () => {
    expect(findNeighbours(list, 'b')).toEqual({
      href: list.href,
      position: 2,
      count: 3,
      previous: 'a',
      next: 'c',
    });
    expect(findNeighbours(list, 'a')!.previous).toBeUndefined();
    expect(findNeighbours(list, 'c')!.next).toBeUndefined();
    expect(findNeighbours(list, 'x')).toBeUndefined();
    expect(findNeighbours(undefined, 'a')).toBeUndefined();
  });
});
