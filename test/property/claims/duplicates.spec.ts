import type { Claim } from '#domain/claims/claim.js';
import { defaultRules as rules } from '#domain/claims/rules.js';
import { foldAll } from '#domain/claims/fold.js';
import { toClaim } from '#domain/claims/present-claim.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { at, statement } from './claims-logs.js';

const AS_OF = at('2026-11-20');

/** [value, source/method, date of 2026, whether an event implies it]. */
type Row = [value: JsonValue, origin: string, date: string, event?: 'event'];

function claimOf(property: string, rows: readonly Row[]): Claim {
  const log = rows.map(([value, origin, date, event]) => ({
    ...statement(property, value, origin, at(`2026-${date}`), `${origin} ${date}`),
    event: event === 'event',
  }));
  const claim = toClaim(rules, property, foldAll(rules, property, log, AS_OF), AS_OF, { history: true });
  if (!claim) throw new Error('nothing was stated');
  return claim;
}

describe('a source that repeats what was outvoted', () => {
  const corrected: Row[] = [
    ['CTO', 'crm:a/sync', '06-01'],
    ['CIO', 'user/correction', '11-01'],
  ];

  it('explains why the repeat changes nothing', () => {
    const claim = claimOf('title', [...corrected, ['CTO', 'crm:a/sync', '11-02']]);
    expect(claim.opposing).toMatchObject([{ source: 'crm:a', value: 'CTO', why: expect.stringMatching(/no news/) }]);
  });

  it('keeps a quarter of its weight against a more reliable supporter', () => {
    const [opponent] = claimOf('title', [...corrected, ['CTO', 'crm:a/sync', '11-02']]).opposing;
    expect(opponent?.weight).toBe(0.2125);
  });

  it('wins again once the current value has lost its strength', () => {
    const old: Row[] = [
      ['high', 'crm:a/sync', '01-01'],
      ['low', 'user/correction', '01-10'],
    ];
    expect(claimOf('intent', [...old, ['high', 'crm:a/sync', '01-20']]).value).toBe('low');
    expect(claimOf('intent', [...old, ['high', 'crm:a/sync', '03-20']]).value).toBe('high');
  });

  it('is heard when another source begins to agree with it', () => {
    const later: Row[] = [
      ['CTO', 'crm:a/sync', '11-02'],
      ['CTO', 'form/api', '11-03'],
    ];
    const claim = claimOf('title', [...corrected, ...later]);
    expect(claim).toMatchObject({ value: 'CTO', valid_from: '2026-11-02T00:00:00.000000Z' });
    expect(claim.sources.map(({ source }) => source).toSorted()).toEqual(['crm:a', 'form']);
  });
});

describe('a correction by a person', () => {
  it('is news each time it is made', () => {
    const claim = claimOf('title', [
      ['CIO', 'user/correction', '10-01'],
      ['CTO', 'form/api', '10-02'],
      ['CIO', 'user/correction', '10-03'],
    ]);
    expect(claim).toMatchObject({ value: 'CIO', valid_from: '2026-10-03T00:00:00.000000Z' });
  });
});

describe('a correction that confirms the current value', () => {
  const contested: Row[] = [
    ['VP Sales', 'crm:a/sync', '11-01'],
    ['CMO', 'linkedin/scrape', '11-10'],
  ];
  const confirmed: Row[] = [...contested, ['VP Sales', 'user/correction', '11-11']];

  it('decides a contested claim', () => {
    expect(claimOf('title', contested)).toMatchObject({ value: 'VP Sales', epistemic_class: 'contested' });
    expect(claimOf('title', confirmed)).toMatchObject({
      value: 'VP Sales',
      valid_from: '2026-11-01T00:00:00.000000Z',
      epistemic_class: 'corroborated',
    });
    const byManual = claimOf('title', [...contested, ['VP Sales', 'user/manual', '11-11']]);
    expect(byManual.epistemic_class).toBe('contested');
  });

  it('survives the syncs that repeat the other value', () => {
    const again: Row[] = ['11-12', '11-13', '11-14'].map(day => ['CMO', 'linkedin/scrape', day]);
    const claim = claimOf('title', [...confirmed, ...again]);
    expect(claim).toMatchObject({ value: 'VP Sales', epistemic_class: 'corroborated' });
    expect(claim.opposing).toMatchObject([{ value: 'CMO', why: expect.stringMatching(/no news/) }]);
  });

  it('does not silence what is stated for the first time after it', () => {
    const claim = claimOf('title', [...confirmed, ['CEO', 'form/api', '11-15']]);
    expect(claim.epistemic_class).toBe('contested');
  });

  it('counts no longer once the person states another value', () => {
    const rows: Row[] = [...confirmed, ['CEO', 'user/correction', '11-12'], ['VP Sales', 'form/api', '11-13']];
    const claim = claimOf('title', [...rows, ['VP Sales', 'crm:a/sync', '11-14']]);
    expect(claim.opposing.map(({ source }) => source)).toContain('user');
  });
});

describe('two supporters of the same weight', () => {
  it('show the spelling of the newer one, and history keeps it', () => {
    const rows: Row[] = [
      ['CRO', 'user/correction', '10-01'],
      ['ＣＲＯ', 'person:0190/correction', '10-02'],
    ];
    expect(claimOf('name', rows).value).toBe('ＣＲＯ');
    const ended = claimOf('name', [...rows, [null, 'user/correction', '10-03']]);
    expect(ended.history).toMatchObject([{ value: 'ＣＲＯ' }]);
  });
});

describe('an opt-out', () => {
  const unsubscribed: Row = [true, 'email/sync', '10-01', 'event'];
  const crmSays = (date: string): Row => [true, 'crm:a/sync', date];
  const isSet = (rows: Row[]): JsonValue => claimOf('do_not_contact', rows).value;

  it.each(['user/correction', 'person:0190/correction'])('is lifted by %s', origin => {
    expect(isSet([unsubscribed, [false, origin, '10-05']])).toBe(false);
  });

  it.each(['user/manual', 'person:0190/manual', 'crm:a/correction', 'agent/assert'])('is not lifted by %s', origin => {
    expect(isSet([unsubscribed, [false, origin, '10-05']])).toBe(true);
  });

  it('that was lifted is not set again by a sync that repeats it', () => {
    const lifted: Row[] = [crmSays('10-01'), [false, 'user/correction', '10-05']];
    expect(isSet([...lifted, crmSays('10-06'), crmSays('10-07')])).toBe(false);
  });

  it('that was lifted is set again by a new unsubscribe, or by a source that states it for the first time', () => {
    const lifted: Row[] = [unsubscribed, [false, 'user/correction', '10-05']];
    expect(isSet([...lifted, [true, 'email/sync', '10-06', 'event']])).toBe(true);
    expect(isSet([...lifted, crmSays('10-06')])).toBe(true);
  });
});
