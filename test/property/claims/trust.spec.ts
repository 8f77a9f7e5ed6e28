import { canonicalKey, isSameSpelling } from '#domain/comparison/canonical-key.js';
import { defaultRules as rules, ruleOf } from '#domain/claims/rules.js';
import { foldAll } from '#domain/claims/fold.js';
import { toClaim } from '#domain/claims/present-claim.js';
import { resolveReliability } from '#domain/claims/trust.js';
import type { JsonValue } from '#domain/observation/observation.js';
import fc from 'fast-check';
import { at, statement } from './claims-logs.js';

describe('the reliability of a source', () => {
  it.each([
    ['user', 'correction', 0.98, 'asserted'],
    ['user', 'manual', 0.95, 'asserted'],
    ['form:contact-us', 'api', 0.85, 'asserted'],
    ['agent', 'assert', 0.8, 'asserted'],
    ['agent', 'api', 0.75, 'asserted'],
    ['agent', 'llm', 0.5, 'inferred'],
    ['agent', 'rules:title', 0.55, 'inferred'],
    ['crm:hubspot', 'llm:gpt', 0.5, 'inferred'],
    ['email:gmail', 'sync', 0.9, 'observed'],
    ['calendar', 'webhook', 0.9, 'observed'],
    ['calcom', 'backfill', 0.9, 'observed'],
    ['web', 'pixel', 0.85, 'observed'],
    ['product', 'api', 0.85, 'observed'],
    ['crm:hubspot', 'sync', 0.85, 'reported'],
    ['CRM:HubSpot', 'Sync', 0.85, 'reported'],
    ['enrichment:apollo', 'api', 0.7, 'reported'],
    ['linkedin', 'scrape', 0.65, 'reported'],
    ['csv', 'import', 0.6, 'reported'],
    ['partner', 'api', 0.6, 'reported'],
    ['constructor', '__proto__', 0.6, 'reported'],
    ['system', 'derived', 0.5, 'inferred'],
    ['system:score', 'icp:7@2', 0.6, 'reported'],
  ])('%s/%s is %d %s', (source, method, r, evidence) => {
    expect(resolveReliability(rules, source, method)).toEqual({ r, class: evidence, isTentative: false });
  });

  it('lets what we guess from an e-mail address give way', () => {
    const guess = { r: 0.5, class: 'inferred', isTentative: true };
    expect(resolveReliability(rules, 'system:email_domain', 'derived')).toEqual(guess);
    expect(resolveReliability(rules, 'system:email_domain', 'api')).toEqual(guess);
  });
});

describe('the rule of a property', () => {
  it.each([
    ['title', 720, 'single', undefined],
    ['stage', 90, 'single', true],
    ['technologies', 540, 'many', undefined],
    ['name', Infinity, 'single', undefined],
    ['favourite_colour', 365, 'single', undefined],
    ['constructor', 365, 'single', undefined],
  ])('%s', (property, halfLife, cardinality, latest) => {
    expect(ruleOf(rules, property)).toMatchObject({ halfLife, cardinality });
    expect(ruleOf(rules, property).latestWins).toBe(latest);
  });
});

describe('a guess from an e-mail address', () => {
  const claimOf = (...rows: [value: JsonValue, origin: string, date: string][]) => {
    const log = rows.map(([value, origin, date]) => statement('company', value, origin, at(date)));
    return toClaim(rules, 'company', foldAll(rules, 'company', log, at('2026-11-20')), at('2026-11-20'));
  };
  const GUESS = 'system:email_domain/derived';

  it('stands alone', () => {
    expect(claimOf(['acme.io', GUESS, '2026-01-01'])).toMatchObject({ value: 'acme.io', epistemic_class: 'inferred' });
  });

  it('gives way to any statement, however weak and late', () => {
    const claim = claimOf(['acme.io', GUESS, '2026-11-01'], ['Beta', 'agent/llm', '2026-11-01']);
    expect(claim).toMatchObject({ value: 'Beta', confidence: 0.5, opposing: [] });
  });

  it('gives way even to what hardly counts', () => {
    const trust = [...rules.trust, { match: 'rumour/*', r: 0.1, class: 'reported' as const }];
    const log = [
      statement('company', 'acme.io', GUESS, at('2026-11-01')),
      statement('company', 'Beta', 'rumour/api', at('2026-11-02')),
    ];
    const state = foldAll({ ...rules, trust }, 'company', log, at('2026-11-20'));
    expect(toClaim(rules, 'company', state, at('2026-11-20'))?.value).toBe('Beta');
  });

  it('corroborates', () => {
    const claim = claimOf(['acme', 'csv/import', '2026-11-01'], ['Acme', GUESS, '2026-11-01']);
    expect(claim).toMatchObject({ value: 'acme', confidence: 0.8, epistemic_class: 'corroborated' });
  });

  it('does not help a challenger to displace a stated value, and counts once the challenger prevails', () => {
    const stated = ['Acme', 'user/manual', '2026-10-01'] as const;
    const pushed = claimOf([...stated], ['Beta', GUESS, '2026-11-01'], ['Beta', 'agent/llm', '2026-11-02']);
    expect(pushed?.value).toBe('Acme');
    const moved = claimOf([...stated], ['Beta', GUESS, '2026-11-01'], ['Beta', 'crm/sync', '2026-11-02']);
    expect(moved?.value).toBe('Beta');
    expect(moved?.sources.map(each => each.source)).toEqual(['crm', 'system:email_domain']);
    expect(moved?.valid_from).toBe('2026-11-02T00:00:00.000000Z');
  });
});

describe('an opt-out', () => {
  const claimOf = (...rows: [value: JsonValue, origin: string, date: string][]) => {
    const log = rows.map(([value, origin, date]) => statement('do_not_contact', value, origin, at(date)));
    return toClaim(rules, 'do_not_contact', foldAll(rules, 'do_not_contact', log, at('2026-11-20')), at('2026-11-20'));
  };

  it('applies at once, whatever its source', () => {
    expect(claimOf([false, 'user/manual', '2026-01-01'], [true, 'csv/import', '2026-02-01'])?.value).toBe(true);
  });

  it('is lifted by a correction only', () => {
    const input = [true, 'csv/import', '2020-01-01'] as const;
    expect(claimOf([...input], [false, 'user/manual', '2026-01-01'])?.value).toBe(true);
    expect(claimOf([...input], [null, 'crm/sync', '2026-01-01'])?.value).toBe(true);
    expect(claimOf([...input], [false, 'user/correction', '2026-01-01'])?.value).toBe(false);
    expect(
      claimOf([...input], [false, 'user/correction', '2026-01-01'], [true, 'email/link', '2026-02-01'])?.value,
    ).toBe(true);
  });
});

describe('the key of a value', () => {
  it.each<[JsonValue, JsonValue]>([
    ['CRO', ' cro '],
    ['Straße', 'STRASSE'],
    ['Straße', 'STRAẞE'],
    ['ΟΔΟΣ ΟΔΟΣ.', 'οδοσ οδος.'],
    ['ＶＰ　Sales', 'vp \n sales'],
    ['ΟΔΟΣ', 'οδος'],
    ['Café', 'Cafe\u0301'],
    [1, 1.0],
    [
      { a: 1, b: 'X' },
      { b: 'x ', a: 1 },
    ],
    [
      ['A', 'b'],
      ['a', 'B'],
    ],
  ])('is the same for %j and %j', (one, other) => {
    expect(canonicalKey(one)).toBe(canonicalKey(other));
    expect(isSameSpelling(one, other)).toBe(true);
  });

  it.each<[JsonValue, JsonValue]>([
    ['null', null],
    ['1', 1],
    ['true', true],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [{ a: 1 }, { A: 1 }],
    ['', null],
    ['VP Sales', 'VPSales'],
  ])('differs for %j and %j', (one, other) => {
    expect(canonicalKey(one)).not.toBe(canonicalKey(other));
  });

  it('knows e-mail addresses, domains and phone numbers', () => {
    expect(canonicalKey(' Ada@Acme.io ', 'email')).toBe('"ada@acme.io"');
    expect(canonicalKey('ACME.io ', 'domain')).toBe('"acme.io"');
    expect(canonicalKey('+49 (30) 123-45', 'phone')).toBe('"+493012345"');
    expect(canonicalKey('(+49) 30 12345', 'phone')).toBe('"+493012345"');
    expect(canonicalKey('030 12345', 'phone')).toBe('"03012345"');
    expect(canonicalKey('unknown', 'phone')).toBe('"unknown"');
    expect(canonicalKey(null, 'phone')).toBe('null');
  });

  it('stays short, and keeps the names of its objects', () => {
    const long = 'x'.repeat(60_000);
    expect(canonicalKey(long)).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(canonicalKey(long)).toBe(canonicalKey(long.toUpperCase()));
    expect(canonicalKey(long)).not.toBe(canonicalKey(`${long}y`));
    const tricky = JSON.parse('{"__proto__": "A", "constructor": "B"}') as JsonValue;
    expect(canonicalKey(tricky)).toBe('{"__proto__":"a","constructor":"b"}');
  });

  it('is its own key: what is folded once stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), text => {
        const key = canonicalKey(text);
        if (!key.startsWith('sha256:')) expect(canonicalKey(JSON.parse(key) as JsonValue)).toBe(key);
      }),
      { numRuns: 1000 },
    );
  });
});
