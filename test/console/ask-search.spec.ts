import { type Group, narrowTo, readGroups } from '../../console/src/ask/groups.ts';
import { toQuery } from '../../console/src/ask/query.ts';
import { readAskSearch } from '../../console/src/ask/search.ts';

const group = (key: string | null, first: unknown = null): Group => ({ key, first, count: 1, entities: 1 });

describe('the address of a question', () => {
  it('holds all conditions', () => {
    const search = {
      kind: 'event',
      property: 'interaction.email',
      source: 'crm',
      period: '30',
      without: 'interaction.email_replied',
      q: 'pricing',
      by: 'source',
      rows: 'entities',
      from: '2026-11-01',
      to: '2026-12-01',
      value: '{"amount":5}',
      exact: 'interaction.email_sent',
    };
    expect(readAskSearch(search)).toEqual(search);
  });

  it('reads a number as a period, which the router makes of its text', () => {
    expect(readAskSearch({ period: 30 })).toMatchObject({ period: '30' });
  });

  it.each([
    { kind: 'note' },
    { period: '31' },
    { by: 'company' },
    { rows: 'notes' },
    { from: 'yesterday' },
    { to: '2026-13-01' },
    { value: '{' },
    { q: ' ' },
    { property: 5 },
  ])('leaves out what it cannot mean: %j', search => {
    const read = readAskSearch(search);
    expect(Object.values(read).filter(each => each !== undefined)).toEqual([]);
  });
});

describe('the request of a question', () => {
  it('counts everything of the last 90 days by month', () => {
    expect(toQuery({})).toEqual({
      scope: { since_days: 90, limit: 50 },
      return: 'observations',
      group_by: ['month'],
      aggregate: [{ op: 'count' }, { op: 'distinct_entities' }, { op: 'first' }],
    });
  });

  it('excludes in the same time, and knows a value by its type', () => {
    expect(
      toQuery({ property: 'title', without: 'interaction.call', from: '2026-11-01', to: '2026-12-01', value: '42' }),
    ).toMatchObject({
      scope: { property: 'title', from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' },
      without: { property: 'interaction.call', from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' },
      filter: { observation: { value: 42 } },
    });
  });

  it('of a property asks for it alone, not for all that begin with its name', () => {
    expect(toQuery({ property: 'plan', exact: 'plan', value: '"Team"' })).toMatchObject({
      scope: { property: 'plan' },
      filter: { observation: { property: ['plan'], value: 'Team' } },
    });
  });

  it('has no beginning with all times', () => {
    expect(toQuery({ period: 'all' }).scope).toEqual({ limit: 50 });
  });
});

describe('a group', () => {
  it('of a time stands before earlier ones, of anything else before smaller ones', () => {
    const groups = [
      { key: { month: '2026-10', source: 'crm' }, count: 5, distinct_entities: 2, first: 'a' },
      { key: { month: '2026-11', source: 'agent' }, count: 3, distinct_entities: 1, first: null },
    ];
    expect(readGroups(groups, 'month').map(({ key }) => key)).toEqual(['2026-11', '2026-10']);
    expect(readGroups(groups, 'source')).toEqual([
      { key: 'crm', count: 5, entities: 2, first: 'a' },
      { key: 'agent', count: 3, entities: 1, first: null },
    ]);
  });

  it.each([
    ['month', '2026-12', { from: '2026-12-01', to: '2027-01-01' }],
    ['week', '2026-W01', { from: '2025-12-29', to: '2026-01-05' }],
    ['week', '2026-W53', { from: '2026-12-28', to: '2027-01-04' }],
    ['day', '2028-02-28', { from: '2028-02-28', to: '2028-02-29' }],
    ['source', 'crm', { source: 'crm' }],
    ['property', 'title', { exact: 'title' }],
  ] as const)('narrows the question to its %s %s', (by, key, change) => {
    expect(narrowTo(by, group(key))).toEqual(change);
  });

  it.each([
    ['42', 42, '42'],
    ['42', '42', '"42"'],
    [null, null, 'null'],
  ])('of the value %s narrows to %j', (key, first, value) => {
    expect(narrowTo('value', group(key, first))).toEqual({ value });
  });
});
