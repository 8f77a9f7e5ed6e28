import { createHash } from 'node:crypto';
import {
  type JsonValue,
  computeDigest,
  resolveObservedAt,
  type ObservationDraft,
  type ObservationProblem,
  findPlaceholders,
} from '#domain/observation/observation.js';
import fc from 'fast-check';
import { parseObservations } from '#domain/observation/parse-observation.js';
import { DAY_US, toIso } from '#domain/time/instant.js';
import { at } from '../claims/claims-logs.js';

const NOW = at('2026-11-20T10:00:00Z');
const TITLE = { kind: 'state', property: 'title', value: 'CEO' };

function read(...observations: unknown[]): ObservationDraft[] {
  const result = parseObservations(observations, NOW);
  if (!result.ok) throw new Error(result.problems.map(problem => problem.message).join('\n'));
  return result.observations;
}

function refused(...observations: unknown[]): ObservationProblem[] {
  const result = parseObservations(observations, NOW);
  if (result.ok) throw new Error('it was accepted');
  return result.problems;
}

/** Arrays in arrays, `levels` of them. */
function nested(levels: number): unknown {
  return levels === 0 ? 1 : [nested(levels - 1)];
}

describe('a batch of observations', () => {
  it('gets its defaults', () => {
    expect(read({ kind: 'state', property: 'title', value: 'CEO' })).toEqual([
      { kind: 'state', property: 'title', value: 'CEO', source: 'agent', method: 'api' },
    ]);
    expect(read({ kind: 'event', property: 'interaction.email_sent' })[0]?.value).toBeNull();
    const nothing = { source: null, method: null, observed_at: null, external_id: null, raw: null };
    expect(read({ ...TITLE, ...nothing })).toEqual(read(TITLE));
  });

  it('keeps what is given', () => {
    const given = {
      kind: 'event',
      property: 'interaction.email_sent',
      value: { subject: 'Hello' },
      source: 'email:gmail',
      method: 'sync',
      observed_at: '2026-11-01T10:00:00.000001+01:00',
      external_id: 'msg-1',
      raw: { any: [{ thing: null }] },
    };
    const { observed_at: _time, external_id: _id, ...rest } = given;
    const observedAt = at('2026-11-01T09:00:00.000001Z');
    expect(read(given)).toEqual([{ ...rest, observedAt, externalId: 'msg-1' }]);
  });

  it('spreads elements without a time over the microseconds after receipt', () => {
    const [first, second] = read(TITLE, { ...TITLE, observed_at: '2026-11-01' });
    expect(first && resolveObservedAt(first, 7, NOW)).toBe(NOW + 7);
    expect(second && resolveObservedAt(second, 7, NOW)).toBe(at('2026-11-01'));
  });

  it.each([[undefined], [null], ['title'], [{}], [[]], [TITLE]])('is not %j', raw => {
    const [problem] = (parseObservations(raw, NOW) as { problems: ObservationProblem[] }).problems;
    expect(problem).toEqual({
      field: 'observations',
      message: 'observations must be an array with at least one observation.',
    });
  });

  it('has at most 1000 elements', () => {
    expect(
      parseObservations(
        Array.from({ length: 1000 }, () => TITLE),
        NOW,
      ).ok,
    ).toBe(true);
    expect(
      parseObservations(
        Array.from({ length: 1001 }, () => TITLE),
        NOW,
      ),
    ).toMatchObject({
      ok: false,
      tooMany: 1001,
      problems: [{ field: 'observations', message: expect.stringContaining('At most 1000') }],
    });
  });

  it('is refused whole, with every problem at its place', () => {
    const result = parseObservations([TITLE, { ...TITLE, kind: 'fact' }, TITLE, { kind: 'state', value: 1 }], NOW);
    expect(result).toEqual({
      ok: false,
      problems: [
        { index: 1, field: 'kind', message: 'kind must be "event" or "state", not "fact".' },
        { index: 3, field: 'property', message: expect.stringContaining('property must be given') },
      ],
    });
  });

  it('names at most a hundred problems', () => {
    expect(refused(...Array.from({ length: 900 }, () => ({ kind: 1, property: 2 })))).toHaveLength(100);
  });
});

describe('an observation is refused for', () => {
  it.each<[string, unknown, string, RegExp]>([
    ['no object', 'title', 'observations', /^Element 0 must be an object/],
    ['an array', [TITLE], 'observations', /must be an object/],
    ['null', null, 'observations', /must be an object/],
    ['no kind', { property: 'title' }, 'kind', /^kind must be "event" or "state"\.$/],
    ['another kind', { ...TITLE, kind: { deep: [] } }, 'kind', /not an object\.$/],
    ['no property', { kind: 'state', value: 1 }, 'property', /must be given/],
    ['a state without a value', { kind: 'state', property: 'title' }, 'value', /null says that the fact has ended/],
    ['a property that is no text', { kind: 'state', property: 7, value: 1 }, 'property', /must be given/],
    ['an event without prefix', { kind: 'event', property: 'email_sent' }, 'property', /kind is "state"/],
    ['an event with capitals', { kind: 'event', property: 'interaction.EmailSent' }, 'property', /use a-z/],
    ['an event of nothing', { kind: 'event', property: 'interaction.' }, 'property', /use a-z/],
    ['an event with two dots', { kind: 'event', property: 'interaction.a.b' }, 'property', /use a-z/],
    ['an event with a line after it', { kind: 'event', property: 'interaction.a\n' }, 'property', /use a-z/],
    [
      'a state named as an event',
      { kind: 'state', property: 'interaction.email_sent', value: 1 },
      'property',
      /set kind to "event"/,
    ],
    ['a state with capitals', { kind: 'state', property: 'Title', value: 1 }, 'property', /a letter a-z/],
    ['a state with a space', { kind: 'state', property: 'job title', value: 1 }, 'property', /"job title" is not/],
    ['a state of 81 characters', { kind: 'state', property: 'a'.repeat(81), value: 1 }, 'property', /at most 79/],
    ['a value with NUL', { ...TITLE, value: { a: [{ b: 'x\u0000' }] } }, 'value', /^value\.a\[0\]\.b contains a NUL/],
    ['a key with NUL', { ...TITLE, value: { 'a\u0000': 1 } }, 'value', /contains a NUL/],
    ['half a surrogate pair', { ...TITLE, value: ['\ud83d'] }, 'value', /^value\[0\] contains half of a surrogate/],
    ['a number that is none', { ...TITLE, value: JSON.parse('1e999') as number }, 'value', /beyond what JSON/],
    ['a value that is no JSON', { ...TITLE, value: new Date(0) }, 'value', /is not JSON/],
    ['33 levels', { ...TITLE, value: nested(33) }, 'value', /more than 32 levels/],
    [
      'a value of 64 KB and a byte',
      { ...TITLE, value: 'x'.repeat(65_535) },
      'value',
      /65537 bytes as JSON; at most 65536/,
    ],
    ['a value of 64 KB in few characters', { ...TITLE, value: '€'.repeat(22_000) }, 'value', /66002 bytes/],
    ['an empty source', { ...TITLE, source: ' ' }, 'source', /1 to 100 characters, such as "agent"/],
    ['a long source', { ...TITLE, source: 'x'.repeat(101) }, 'source', /1 to 100/],
    ['a source with NUL', { ...TITLE, source: 'a\u0000' }, 'source', /NUL/],
    ['a method that is no text', { ...TITLE, method: 5 }, 'method', /such as "api"/],
    ['a time in words', { ...TITLE, observed_at: 'yesterday' }, 'observed_at', /ISO 8601.*not "yesterday"/],
    ['a day that is none', { ...TITLE, observed_at: '2026-02-30' }, 'observed_at', /ISO 8601/],
    ['a time as a number', { ...TITLE, observed_at: 1_763_600_000 }, 'observed_at', /ISO 8601/],
    ['a time too far ahead', { ...TITLE, observed_at: toIso(NOW + 366 * DAY_US + 1) }, 'observed_at', /366 days/],
    ['an empty external_id', { ...TITLE, external_id: '' }, 'external_id', /1 to 512/],
    ['a long external_id', { ...TITLE, external_id: 'x'.repeat(513) }, 'external_id', /1 to 512/],
    ['a number as external_id', { ...TITLE, external_id: 12 }, 'external_id', /text/],
    ['an external_id with half a pair', { ...TITLE, external_id: '\udc00' }, 'external_id', /surrogate/],
    ['raw that is a list', { ...TITLE, raw: [] }, 'raw', /must be an object/],
    ['raw with NUL', { ...TITLE, raw: { a: '\u0000' } }, 'raw', /^raw\.a contains a NUL/],
    ['raw of 256 KB', { ...TITLE, raw: { a: 'x'.repeat(262_144) } }, 'raw', /at most 262144/],
    ['an unknown field', { ...TITLE, colour: 'red' }, 'colour', /"colour" is no field.*known are kind, property/],
    ['a field in capitals', { ...TITLE, observedAt: '2026-01-01' }, 'observedAt', /write it observed_at\.$/],
    [
      'a field named __proto__',
      JSON.parse('{"kind":"state","property":"x","value":1,"__proto__":{}}'),
      '__proto__',
      /no field/,
    ],
  ])('%s', (_name, observation, field, message) => {
    const problems = refused(observation);
    expect(problems.map(problem => [problem.index, problem.field])).toEqual([[0, field]]);
    expect(problems[0]?.message).toMatch(message);
    expect(JSON.parse(JSON.stringify(problems))).toEqual(problems);
    expect(problems.every(problem => problem.message.isWellFormed() && problem.message.length < 400)).toBe(true);
  });

  it('nothing up to the limits', () => {
    const limits = {
      ...TITLE,
      value: 'x'.repeat(65_534),
      source: 's'.repeat(100),
      method: 'm'.repeat(100),
      external_id: 'e'.repeat(512),
      observed_at: toIso(NOW + 366 * DAY_US),
      raw: { a: 'x'.repeat(262_136) },
    };
    expect(read(limits)).toHaveLength(1);
    expect(read({ ...TITLE, property: 'a'.repeat(80) }, { ...TITLE, property: 'signal.a-b_c' })).toHaveLength(2);
    expect(read({ ...TITLE, value: nested(32) })).toHaveLength(1);
    expect(read({ ...TITLE, value: '👩‍💻 ünï\n' })[0]?.value).toBe('👩‍💻 ünï\n');
  });

  it('nothing of what hostile depth could break', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown;
    expect(
      refused({ ...TITLE, value: deep, kind: deep, property: deep, observed_at: deep, raw: { deep } }),
    ).not.toEqual([]);
  });

  it('any value and batch without throwing', () => {
    fc.assert(
      fc.property(fc.anything({ withDate: true, withNullPrototype: true, maxDepth: 4 }), (raw: unknown) => {
        for (const batch of [
          raw,
          [raw],
          [{ ...TITLE, value: raw }],
          [{ ...TITLE, observed_at: raw, raw, kind: raw }],
        ]) {
          expect(typeof parseObservations(batch, NOW).ok).toBe('boolean');
        }
      }),
      { numRuns: 500 },
    );
  });

  it('no JSON value but placeholders, and keeps it as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: 'grapheme' }), value => {
        fc.pre(
          !JSON.stringify(value).includes('\\u0000') && findPlaceholders('title', value as JsonValue).length === 0,
        );
        expect(read({ ...TITLE, value })[0]?.value).toStrictEqual(value);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the digest of an observation', () => {
  const content = { property: 'title', value: 'CEO', source: 'agent', method: 'api', observedAt: at('2026-11-01') };

  it('is the SHA-256 of the canonical text', () => {
    const text =
      '{"external_id":null,"method":"api","observed_at":"2026-11-01T00:00:00.000000Z",' +
      '"property":"title","source":"agent","value":"CEO"}';
    expect(computeDigest(content)).toBe(createHash('sha256').update(text, 'utf8').digest('hex'));
    const other =
      '{"external_id":"é","method":"api","observed_at":"2026-11-01T00:00:00.000001Z",' +
      '"property":"title","source":"agent","value":{"a":[1e+30,0.002,null],"b":"€"}}';
    const rich = { value: { b: '€', a: [1e30, 2e-3, null] }, externalId: 'é', observedAt: at('2026-11-01') + 1 };
    expect(computeDigest({ ...content, ...rich })).toBe(createHash('sha256').update(other, 'utf8').digest('hex'));
  });

  it('does not depend on the order of keys, nor on absent fields', () => {
    const one = { ...content, value: { a: 1, b: { c: 2, d: 3 } } };
    const other = { ...content, value: { b: { d: 3, c: 2 }, a: 1 }, externalId: null, id: 'x', recordedAt: 5 };
    expect(computeDigest(other)).toBe(computeDigest(one));
  });

  it('differs with each field', () => {
    const stated = [
      content,
      { ...content, value: null },
      { ...content, value: 'ceo' },
      { ...content, property: 'name' },
      { ...content, source: 'api', method: 'agent' },
      { ...content, observedAt: content.observedAt + 1 },
      { ...content, externalId: '1' },
    ];
    expect(new Set(stated.map(computeDigest)).size).toBe(stated.length);
  });
});
