import fc from 'fast-check';
import type { Claim } from '#domain/claims/claim.js';
import { defaultRules as rules } from '#domain/claims/rules.js';
import { foldAll } from '#domain/claims/fold.js';
import { parseMemberChanges } from '#domain/claims/property-state.js';
import { toClaim } from '#domain/claims/present-claim.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { at, LATER, logs, statement } from './claims-logs.js';

type Row = [value: JsonValue, origin: string, date: string];
const AS_OF = at('2026-11-20');

function claimOf(rows: Row[], history = false): Claim | undefined {
  const log = rows.map(([value, origin, date]) => statement('technologies', value, origin, at(date), date));
  return toClaim(rules, 'technologies', foldAll(rules, 'technologies', log, AS_OF), AS_OF, { history });
}

describe('a property of many values', () => {
  it('is the list of those that hold, as sure and as fresh as the weakest', () => {
    const claim = claimOf([
      [['Go', 'Rust'], 'csv/import', '2026-10-01'],
      ['Go', 'crm/sync', '2026-10-20'],
      ['Elm', 'user/manual', '2026-01-01'],
    ]);
    expect(claim).toMatchObject({
      property: 'technologies',
      value: ['Elm', 'Go', 'Rust'],
      value_type: 'array',
      status: 'current',
      confidence: 0.6,
      freshness: 'suspect',
      epistemic_class: 'reported',
      valid_from: '2026-01-01T00:00:00.000000Z',
      last_observed_at: '2026-10-20T00:00:00.000000Z',
      observation_count: 3,
      opposing: [],
    });
    expect(claim?.values?.map(({ value, freshness, epistemic_class }) => [value, freshness, epistemic_class])).toEqual(
      expect.arrayContaining([
        ['Go', 'fresh', 'corroborated'],
        ['Rust', 'fresh', 'reported'],
        ['Elm', 'suspect', 'asserted'],
      ]),
    );
    expect(claim?.sources.map(source => source.observation_id).toSorted()).toEqual([
      '2026-01-01',
      '2026-10-01',
      '2026-10-20',
    ]);
  });

  it('ends one value by $end and keeps the others', () => {
    const rows: Row[] = [
      [['Go', 'Rust'], 'agent/api', '2026-10-01'],
      [{ $end: 'GO' }, 'agent/api', '2026-11-01'],
    ];
    expect(claimOf(rows)?.value).toEqual(['Rust']);
    expect(claimOf(rows)?.values).toHaveLength(1);
    const ended = claimOf(rows, true)?.values?.find(claim => claim.status === 'ended');
    expect(ended).toMatchObject({ value: null, epistemic_class: 'ended', history: [{ value: 'Go' }] });
  });

  it('ends all values by null, and only where the null weighs enough', () => {
    const held: Row[] = [
      ['Go', 'user/manual', '2026-10-01'],
      ['Rust', 'csv/import', '2026-10-01'],
      [null, 'agent/llm', '2026-11-01'],
    ];
    expect(claimOf(held)).toMatchObject({ value: ['Go'], epistemic_class: 'asserted' });
    expect(claimOf(held)?.opposing).toMatchObject([{ source: 'agent', value: null }]);
    const gone: Row[] = [...held, [null, 'user/correction', '2026-11-02']];
    expect(claimOf(gone)).toMatchObject({ value: [], status: 'ended', epistemic_class: 'ended' });
  });

  it('opens again what was ended, and an end of something unheard of ends nothing else', () => {
    const rows: Row[] = [
      [{ $end: 'Go' }, 'agent/api', '2026-09-01'],
      ['Rust', 'agent/api', '2026-10-01'],
    ];
    expect(claimOf(rows)?.value).toEqual(['Rust']);
    expect(claimOf([...rows, ['Go', 'agent/api', '2026-11-01']])?.value).toEqual(['Go', 'Rust']);
  });

  it('lists equally sure values by name, and each statement once', () => {
    const claim = claimOf([[['Rust', 'Elm', 'Go'], 'agent/api', '2026-10-01']]);
    expect(claim?.value).toEqual(['Elm', 'Go', 'Rust']);
    expect(claim?.sources).toHaveLength(1);
  });

  it('says nothing when only an empty list was stated', () => {
    expect(claimOf([[[], 'agent/api', '2026-10-01']])).toBeUndefined();
  });

  it('keeps values apart: a statement about one does not change the others', () => {
    fc.assert(
      fc.property(logs('technologies'), logs('technologies'), (log, other) => {
        const about = (key: string, stated: typeof log) =>
          foldAll(rules, 'technologies', stated, LATER).tracks.find(track => track.key === key);
        const aside = other.map((each, index) => ({ ...each, id: `aside ${index}`, value: `aside ${index % 3}` }));
        expect(about('"go"', [...log, ...aside])).toStrictEqual(about('"go"', log));
      }),
      { numRuns: 300 },
    );
  });
});

describe('the members of a statement', () => {
  it.each<[JsonValue, string[]]>([
    ['Go', ['+"Go"']],
    [
      ['Go', null, 'Elm'],
      ['+"Go"', '+"Elm"'],
    ],
    [{ $end: 'Go' }, ['-"Go"']],
    [{ $end: ['Go', 'Elm'] }, ['-"Go"', '-"Elm"']],
    [
      ['Go', { $end: 'Elm' }],
      ['+"Go"', '-"Elm"'],
    ],
    [{ $end: null }, []],
    [{ $end: 'Go', since: 2020 }, ['+{"$end":"Go","since":2020}']],
    [[], []],
  ])('%j', (value, members) => {
    const written = parseMemberChanges(value).map(
      member => `${member.ended ? '-' : '+'}${JSON.stringify(member.value)}`,
    );
    expect(written).toEqual(members);
  });
});
