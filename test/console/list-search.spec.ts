import fc from 'fast-check';
import { findNeighbours } from '../../console/src/lists/neighbours.ts';
import { CONDITIONS, fromFilter, readListSearch, toFilter } from '../../console/src/lists/search.ts';
import { readSort, toSort } from '../../console/src/lists/sort.ts';
import { isChanged, type SavedView, toSearch, toViewQuery } from '../../console/src/lists/views.ts';
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
        { title: { source: '0.7' } },
        { title: { only_source: '0.7' } },
        { title: { refresh_due_at: { $lte: '+0.7' } } },
        { title: { freshness: { $in: ['aging', 'suspect', 'expired'] } } },
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
      'email status has the source x',
      'email status has only the source x',
      'email status stops being fresh within x',
      'email status is no longer fresh',
    ]);
    expect(toLabel('first_name')).toBe('first name');
    expect(toLabel('linkedin_url')).toBe('LinkedIn URL');
  });
});

describe('a saved view', () => {
  /** A condition as the form makes it: without a value where it takes none, and with a number where it takes one. */
  const stated = chip
    .filter(({ property }) => !property.startsWith('$'))
    .map(({ property, condition, value }) => {
      if (condition === 'exists' || condition === 'missing' || condition === 'stale')
        return { property, condition, value: '' };
      return { property, condition, value: condition === 'confidence' ? '0.7' : value };
    });
  const viewOf = (query: SavedView['query']) => ({ id: 'v1', resource: 'people', query }) as SavedView;

  it('opens as it was saved, and is changed by any other condition', () => {
    fc.assert(
      fc.property(fc.array(stated, { minLength: 1, maxLength: 4 }), stated, (chips, other) => {
        const search = { q: 'ada', sort: '-name', chips, columns: 'name,title', list: undefined };
        const view = viewOf(toViewQuery(search));
        expect(toSearch(view)).toEqual({ ...search, filter: undefined, view: 'v1' });
        expect(isChanged(view, toSearch(view))).toBe(false);
        expect(isChanged(view, { ...toSearch(view), chips: [...chips, other] })).toBe(true);
      }),
    );
  });

  it('shows the conditions of any client, and those that no chip states as one', () => {
    expect(fromFilter('{"title":{"$contains":"vp","freshness":"fresh"},"city":"Berlin"}')).toEqual([
      { property: 'title', condition: 'contains', value: 'vp' },
      { property: 'title', condition: 'freshness', value: 'fresh' },
      { property: 'city', condition: 'is', value: 'Berlin' },
    ]);
    for (const filter of [
      '{"$or":[{"title":"VP"},{"title":"CRO"}]}',
      '{"$and":[{"$or":[]}],"title":"VP"}',
      '{"headcount":{"$gte":500}}',
      '{"title":{"confidence":{"$gte":0.5,"$lte":0.7}}}',
      '{"title":{"confidence":null}}',
      '{"title":{"freshness":{"$in":["fresh"]}}}',
      '{"title":{"refresh_due_at":{"$lte":"2026-11-30"}}}',
      '{"title":{"refresh_due_at":{"$gte":"+7d"}}}',
      '{"title":["VP"]}',
    ]) {
      expect(fromFilter(filter)).toBeUndefined();
      const view = viewOf({ filter });
      expect(toSearch(view)).toMatchObject({ chips: undefined, filter });
      expect(toViewQuery(toSearch(view))).toEqual({ filter });
    }
    const chips = [{ property: 'title', condition: 'is' as const, value: 'VP' }];
    expect(toFilter(chips, '{"headcount":{"$gte":500}}')).toBe(
      '{"$and":[{"title":{"$eq":"VP"}},{"headcount":{"$gte":500}}]}',
    );
  });

  it('leaves out of its address what is no filter', () => {
    expect(readListSearch({ filter: '{' }).filter).toBeUndefined();
    expect(readListSearch({ filter: '5' }).filter).toBeUndefined();
    expect(readListSearch({ filter: '{"headcount":5}' }).filter).toBe('{"headcount":5}');
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

describe('the order of a list', () => {
  it.each([
    ['name', { property: 'name', kind: 'value', descending: false }],
    ['-title.confidence', { property: 'title', kind: 'confidence', descending: true }],
    ['custom.name.freshness', { property: 'custom.name', kind: 'freshness', descending: false }],
  ] as const)('reads %s and writes it again', (sort, order) => {
    expect(readSort(sort)).toEqual(order);
    expect(toSort(order)).toBe(sort);
  });

  it('has no single property where there are several keys, or none', () => {
    expect(readSort('-icp_score,name')).toBeUndefined();
    expect(readSort(undefined)).toBeUndefined();
  });
});
