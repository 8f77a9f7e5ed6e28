import { toMap } from '../../console/src/facts/provenance.ts';
import { groupByWay, toWay, WAYS } from '../../console/src/facts/renewal.ts';
import { readDecayingSearch, readProvenanceSearch, toRenewalChips } from '../../console/src/facts/search.ts';
import { toFilter } from '../../console/src/lists/search.ts';

const source = (name: string, counts: { claims: number; only?: number; due?: number; stale?: number }) => ({
  source: name,
  claims: counts.claims,
  only_source: counts.only ?? 0,
  refresh_due: counts.due ?? 0,
  not_fresh: counts.stale ?? 0,
});
const facet = (property: string, claims: number, sources: ReturnType<typeof source>[]) => ({
  property,
  claims,
  freshness: {},
  epistemic_class: {},
  refresh_due: 0,
  sources,
});

describe('the worklist of decaying facts', () => {
  it('names the cheapest way to renew what a source states', () => {
    const sources = [
      'crm:hubspot',
      'calcom',
      'enrichment:x',
      'csv:1',
      'email',
      'person:1',
      'agent',
      'system:score',
      'constructor',
    ];
    expect(sources.map(toWay)).toEqual('sync sync provider import contact confirm confirm derived confirm'.split(' '));
  });

  it('groups facts by way, the cheapest way and the most facts first', () => {
    const people = [
      facet('title', 9, [source('csv:1', { claims: 4, due: 1 }), source('crm:x', { claims: 5, due: 2 })]),
      facet('city', 9, [source('crm:x', { claims: 9, due: 4, stale: 1 })]),
    ];
    const companies = [facet('city', 3, [source('crm:x', { claims: 3, due: 3 }), source('agent', { claims: 1 })])];
    expect(groupByWay(people, companies, '7d')).toEqual([
      {
        way: 'sync',
        facts: 9,
        rows: [
          { source: 'crm:x', property: 'city', people: 4, companies: 3 },
          { source: 'crm:x', property: 'title', people: 2, companies: 0 },
        ],
      },
      { way: 'import', facts: 1, rows: [{ source: 'csv:1', property: 'title', people: 1, companies: 0 }] },
    ]);
    expect(groupByWay(people, companies, 'past')).toMatchObject([{ way: 'sync', facts: 1 }]);
    expect(groupByWay([], [], '7d')).toEqual([]);
    expect(WAYS[0]).toBe('sync');
  });

  it('opens the rows that it counts', () => {
    expect(JSON.parse(toFilter(toRenewalChips('title', 'crm:x', '30d'))!)).toEqual({
      $and: [
        { title: { $exists: true } },
        { title: { freshness: 'fresh' } },
        { title: { refresh_due_at: { $lte: '+30d' } } },
        { title: { source: 'crm:x' } },
      ],
    });
    expect(JSON.parse(toFilter(toRenewalChips('title', 'crm:x', 'past'))!)).toEqual({
      $and: [
        { title: { $exists: true } },
        { title: { freshness: { $in: ['aging', 'suspect', 'expired'] } } },
        { title: { source: 'crm:x' } },
      ],
    });
    expect(readDecayingSearch({ window: '30d' })).toEqual({ window: '30d' });
    expect(readDecayingSearch({ window: '5y' })).toEqual({ window: undefined });
  });
});

describe('the provenance map', () => {
  it('has a column per source, the most frequent first, and a row per property with facts', () => {
    const title = source('crm:x', { claims: 5, only: 3 });
    const csv = source('csv:1', { claims: 7, only: 4 });
    expect(toMap([facet('title', 9, [title]), facet('city', 7, [csv]), facet('phone', 0, [])])).toEqual({
      sources: ['csv:1', 'crm:x'],
      rows: [
        { property: 'title', claims: 9, alone: 3, cells: [undefined, title] },
        { property: 'city', claims: 7, alone: 4, cells: [csv, undefined] },
      ],
    });
    expect(readProvenanceSearch({ of: 'companies' })).toEqual({ of: 'companies' });
    expect(readProvenanceSearch({ of: 'leads' })).toEqual({ of: undefined });
  });
});
