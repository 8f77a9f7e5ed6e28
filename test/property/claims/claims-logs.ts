import fc from 'fast-check';
import type { Statement } from '#domain/claims/property-state.js';
import { computeDigest, type JsonValue } from '#domain/observation/observation.js';
import { DAY_US, type Instant, parseInstant } from '#domain/time/instant.js';

/** The instant of a text that is known to be one. */
export function at(text: string): Instant {
  const instant = parseInstant(text);
  if (instant === undefined) throw new Error(`${text} is no time`);
  return instant;
}

/** A statement with what the fold needs; `id` tells repeated ones apart. */
export function statement(
  property: string,
  value: JsonValue,
  origin: string,
  observedAt: Instant,
  id = `${origin}@${observedAt}`,
): Statement {
  const [source = '', method = 'api'] = origin.split('/');
  const content = { property, value, source, method, observedAt };
  return { id, ...content, digest: computeDigest(content), event: false };
}

/** What a correction of `do_not_contact` to false states about another opt-out. */
export function lifting(property: string, observedAt: Instant, id: string): Statement {
  return { ...statement(property, null, 'user/correction', observedAt, id), liftsOptOut: true };
}

/** Ten kinds of sources and more, of every class; several of one family. */
export const ORIGINS = [
  'user/correction',
  'person:0190/correction',
  'call:1/llm',
  'call:2/llm',
  'user/manual',
  'form/api',
  'agent/api',
  'agent/llm',
  'email:gmail/sync',
  'crm:hubspot/sync',
  'crm:attio/rules:lead',
  'enrichment/api',
  'linkedin/scrape',
  'csv/import',
  'partner/api',
];

const SINGLE_VALUES: JsonValue[] = [
  'CRO',
  'cro ',
  'ＣＲＯ',
  'CEO',
  'ceo',
  'VP  Sales',
  'vp sales',
  null,
  7,
  { b: 1, a: [2] },
];
const MANY_VALUES: JsonValue[] = [
  'Go',
  'go ',
  'Rust',
  ['Go', 'RUST', 'Elm'],
  ['Elm', null, 'elm'],
  [],
  { $end: 'Go' },
  { $end: ['rust', 'Elm'] },
  [{ $end: 'Elm' }, 'Zig'],
  { name: 'Zig' },
  null,
];

const STATUS_VALUES: JsonValue[] = ['valid', 'bounced', 'unsubscribed', 'risky', null];

/** Properties of each kind: ageing, never ageing, newest wins, opt-outs, many values. */
export const PROPERTIES = [
  'title',
  'intent',
  'name',
  'do_not_contact',
  'email_status',
  'stage',
  'technologies',
  'favourite_colour',
];

/** Logs of one property in the order of time, a fifth of the statements at the same instant as the one before. */
export function logs(property: string, origins: readonly string[] = ORIGINS): fc.Arbitrary<Statement[]> {
  const values = { technologies: MANY_VALUES, email_status: STATUS_VALUES }[property] ?? SINGLE_VALUES;
  const lifts = property === 'email_status' ? fc.integer({ max: 4, min: 0 }).map(n => n === 0) : fc.constant(false);
  const gap = fc.oneof(
    { weight: 2, arbitrary: fc.constant(0) },
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 60 }).map(days => days * DAY_US) },
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 500 * DAY_US }) },
  );
  const value = fc.constantFrom(...values);
  const row = fc.record({ value, origin: fc.constantFrom(...origins), gap, id: fc.uuid(), lifts });
  return fc.array(row, { minLength: 1, maxLength: 24 }).map(rows => {
    let time = at('2015-01-01');
    return rows.map(({ value, origin, gap: passed, id, lifts }) => {
      time += passed;
      return lifts ? lifting(property, time, id) : statement(property, value, origin, time, id);
    });
  });
}

/** A property with a log of it. */
export const anyLog: fc.Arbitrary<{ property: string; log: Statement[] }> = fc
  .constantFrom(...PROPERTIES)
  .chain(property => logs(property).map(log => ({ property, log })));

/** The same elements in any order. */
export function shuffled<T>(list: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...list], { minLength: list.length, maxLength: list.length });
}

/** After every log above. */
export const LATER = at('2199-01-01');

/** Logs of the status of three addresses, where a statement may name none. */
export const anyAddressLog: fc.Arbitrary<Statement[]> = logs('email_status').chain(log => {
  const addresses = fc.constantFrom(undefined, 'ada@a.example', 'ada@b.example', 'ada@c.example');
  return fc
    .array(addresses, { minLength: log.length, maxLength: log.length })
    .map(about =>
      log.map((each, i) => (about[i] === undefined || each.liftsOptOut ? each : { ...each, address: about[i] })),
    );
});
