import { defaultRules } from '#domain/claims/default-rules.js';
import { foldAll } from '#domain/claims/fold.js';
import { showClaim } from '#domain/claims/show-claim.js';
import type { Json } from '#domain/observation/observation.js';
import { at, statement } from './claims-logs.js';

const AS_OF = at('2026-11-20');

/** [value, source/method, date]; dates without a year are of 2026. */
type Row = [value: Json, origin: string, date: string];
/** [value, from, to] of the values before, oldest first. */
type Past = [value: Json, from: string, to: string][];

interface Vector {
  rows: Row[];
  property?: string;
  value: Json;
  confidence: number;
  freshness?: string;
  class: string;
  history?: Past;
}

const vectors: Record<string, Vector> = {
  'G1 one statement': { rows: [['VP', 'agent/api', '11-01']], value: 'VP', confidence: 0.75, class: 'asserted' },
  'G2 the same source changes its mind': {
    rows: [
      ['VP', 'agent/api', '01-10'],
      ['CRO', 'agent/api', '11-01'],
    ],
    value: 'CRO',
    confidence: 0.75,
    class: 'asserted',
    history: [['VP', '01-10', '11-01']],
  },
  'G3 a value that becomes true again': {
    rows: [
      ['VP', 'agent/api', '01-10'],
      ['CRO', 'agent/api', '05-01'],
      ['VP', 'agent/api', '11-01'],
    ],
    value: 'VP',
    confidence: 0.75,
    class: 'asserted',
    history: [
      ['VP', '01-10', '05-01'],
      ['CRO', '05-01', '11-01'],
    ],
  },
  'G4 a late arrival takes its place in the past': {
    rows: [
      ['A', 'agent/api', '01-01'],
      ['C', 'agent/api', '09-01'],
      ['B', 'agent/api', '05-01'],
    ],
    value: 'C',
    confidence: 0.75,
    class: 'asserted',
    history: [
      ['A', '01-01', '05-01'],
      ['B', '05-01', '09-01'],
    ],
  },
  'G5 null ends': {
    rows: [
      ['VP', 'agent/api', '01-10'],
      [null, 'agent/api', '10-01'],
    ],
    value: null,
    confidence: 0.75,
    class: 'ended',
    history: [['VP', '01-10', '10-01']],
  },
  'G6 a late end, opened again': {
    rows: [
      ['A', 'agent/api', '01-01'],
      ['B', 'agent/api', '09-01'],
      [null, 'agent/api', '05-01'],
    ],
    value: 'B',
    confidence: 0.75,
    class: 'asserted',
    history: [
      ['A', '01-01', '05-01'],
      [null, '05-01', '09-01'],
    ],
  },
  'G7 two sources, two spellings': {
    rows: [
      ['CRO', 'agent/api', '10-01'],
      ['cro ', 'linkedin/scrape', '11-01'],
    ],
    value: 'CRO',
    confidence: 0.9048,
    class: 'corroborated',
  },
  'G8 a guess does not overrule a person': {
    rows: [
      ['CRO', 'user/manual', '10-01'],
      ['CEO', 'agent/llm', '11-01'],
    ],
    value: 'CRO',
    confidence: 0.7377,
    class: 'asserted',
  },
  'G9 protection melts with age': {
    rows: [
      ['CRO', 'user/manual', '06-01'],
      ['CEO', 'enrichment/api', '10-01'],
    ],
    value: 'CEO',
    confidence: 0.5961,
    class: 'reported',
    history: [['CRO', '06-01', '10-01']],
  },
  'G10 an import disagrees with a correction': {
    rows: [
      ['CRO', 'user/correction', '10-01'],
      ['VP', 'csv/import', '11-01'],
    ],
    value: 'CRO',
    confidence: 0.7229,
    class: 'contested',
  },
  'G11 at one instant the more reliable wins': {
    rows: [
      ['A', 'csv/import', '11-01'],
      ['B', 'crm/sync', '11-01'],
    ],
    value: 'B',
    confidence: 0.646,
    class: 'contested',
  },
  'G12 an old fact gives way to a guess': {
    rows: [
      ['CRO', 'crm/sync', '2023-01-01'],
      ['CEO', 'agent/llm', '11-01'],
    ],
    value: 'CEO',
    confidence: 0.5,
    class: 'inferred',
    history: [['CRO', '2023-01-01', '11-01']],
  },
  'G13 half a year weakens a CRM': {
    rows: [
      ['CTO', 'crm/sync', '05-01'],
      ['CEO', 'linkedin/scrape', '11-01'],
    ],
    value: 'CEO',
    confidence: 0.5964,
    class: 'reported',
    history: [['CTO', '05-01', '11-01']],
  },
  'G14 intent ages fast': {
    rows: [['evaluating', 'agent/api', '11-01']],
    property: 'intent',
    value: 'evaluating',
    confidence: 0.75,
    freshness: 'suspect',
    class: 'asserted',
  },
  'G15 of stages the newest stands unopposed': {
    rows: [
      ['proposal', 'crm/sync', '11-01'],
      ['negotiation', 'csv/import', '11-10'],
    ],
    property: 'stage',
    value: 'negotiation',
    confidence: 0.6,
    class: 'reported',
    history: [['proposal', '11-01', '11-10']],
  },
  'G16 repeats do not inflate': {
    rows: ['11-01', '11-02', '11-03', '11-04', '11-05'].map((date): Row => ['CRO', 'linkedin/scrape', date]),
    value: 'CRO',
    confidence: 0.65,
    class: 'reported',
  },
};

describe.each(Object.entries(vectors))('%s', (_name, vector) => {
  const property = vector.property ?? 'title';
  const log = vector.rows.map(([value, origin, date]) => statement(property, value, origin, at(dated(date))));
  const claim = showClaim(defaultRules, property, foldAll(defaultRules, property, log, AS_OF), AS_OF, {
    history: true,
  });

  it('gives the value, its surety, its freshness and its past', () => {
    expect(claim).toMatchObject({
      property,
      value: vector.value,
      status: vector.value === null ? 'ended' : 'current',
      confidence: vector.confidence,
      freshness: vector.freshness ?? 'fresh',
      epistemic_class: vector.class,
      valid_to: null,
      observation_count: vector.rows.length,
      trust_version: 'default@1',
    });
    const past = [...(claim?.history ?? [])].reverse();
    expect(past.map(({ value, valid_from, valid_to }) => [value, valid_from, valid_to])).toEqual(
      (vector.history ?? []).map(([value, from, to]) => [value, iso(from), iso(to)]),
    );
  });
});

function dated(date: string): string {
  return date.length === 5 ? `2026-${date}` : date;
}

function iso(date: string): string {
  return `${dated(date)}T00:00:00.000000Z`;
}
