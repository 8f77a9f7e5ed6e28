import fc from 'fast-check';
import { classifyContact, DEDUP_OUTCOMES, precedenceOf, findDuplicates } from '#domain/dedup/classify-contact.js';
import {
  findCurrentEmail,
  type ClassifyingClaims,
  type DedupEvidence,
  type ContactStatus,
  type DedupSubject,
} from '#domain/dedup/contact-status.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { DAY_US } from '#domain/time/instant.js';
import { vectorsOf } from '../../support/vectors.js';

const NOW = Date.UTC(2026, 10, 20) * 1000;
const WINDOW = 90;

interface Person {
  readonly claims?: Readonly<Record<string, readonly [JsonValue, number]>>;
  readonly current?: string | undefined;
  readonly ended?: Readonly<Record<string, number>>;
  /** Statuses of addresses, each with its age in days. */
  readonly statuses?: Readonly<Record<string, readonly [JsonValue, number]>>;
  readonly inbound?: number | undefined;
  readonly activity?: number | undefined;
  readonly meeting?: number | undefined;
  readonly list?: number | undefined;
}

interface Vector {
  readonly why: string;
  readonly email?: string | undefined;
  readonly known: readonly Person[];
  readonly blocked?: number | undefined;
}

const vectors = vectorsOf<Vector & { outcome: string; reason: string; entity: number | null }>('dedup/outcomes');

const back = (days: number): DedupEvidence => ({ observationId: `o${days}`, at: NOW - days * DAY_US });
const evidenceOf = (days: number | undefined) => (days === undefined ? null : back(days));

function statusOf(person: Person, place: number): ContactStatus {
  const claims = Object.entries(person.claims ?? {}).map(([property, [value, days]]) => [
    property,
    { value, evidence: back(days) },
  ]);
  return {
    entityId: String(place),
    claims: Object.fromEntries(claims) as ClassifyingClaims,
    currentEmail: person.current,
    formerEmails: new Map(Object.entries(person.ended ?? {}).map(([key, days]) => [key, back(days)])),
    addressStatuses: new Map(
      Object.entries(person.statuses ?? {}).map(([key, [value, days]]) => [key, { value, evidence: back(days) }]),
    ),
    lastInbound: evidenceOf(person.inbound),
    lastActivity: evidenceOf(person.activity),
    meeting: evidenceOf(person.meeting),
    lists: person.list === undefined ? [] : [back(person.list)],
  };
}

const subjectOf = ({ email, known, blocked }: Omit<Vector, 'why'>): DedupSubject => ({
  email,
  known: known.map((person, place) => ({ kind: 'email', status: statusOf(person, place) })),
  blocked: evidenceOf(blocked),
});

it.each(vectors)('$outcome: $why', vector => {
  const { outcome, reason, entityId } = classifyContact(subjectOf(vector), NOW, WINDOW);
  expect({ outcome, reason, entity: entityId === null ? null : Number(entityId) }).toEqual({
    outcome: vector.outcome,
    reason: vector.reason,
    entity: vector.entity,
  });
});

const days = fc.option(fc.integer({ min: 0, max: 400 }), { nil: undefined });
const claim = (values: JsonValue[]) =>
  fc.option(fc.tuple(fc.constantFrom(...values), fc.integer({ min: 0, max: 900 })), { nil: undefined });
const person = fc.record({
  claims: fc
    .record({
      do_not_contact: claim([true, false]),
      unsubscribed: claim([true, false]),
      email_status: claim(['valid', 'bounced', 'unsubscribed']),
      stage: claim(['identified', 'demo', 'lost', 'Trial']),
    })
    .map(all => Object.fromEntries(Object.entries(all).filter(([, held]) => held !== undefined))),
  current: fc.constantFrom('a', 'b', undefined),
  ended: fc.constantFrom({}, { b: 3 }),
  inbound: days,
  activity: days,
  meeting: days,
  list: days,
}) as fc.Arbitrary<Person>;
const row = fc.record({
  email: fc.constantFrom('a', 'b', undefined),
  known: fc.array(person, { maxLength: 3 }),
  blocked: days,
});
const outcomeOf = (subject: Omit<Vector, 'why'>) => classifyContact(subjectOf(subject), NOW, WINDOW).outcome;

it('every row has exactly one class, and what it rests on unless it is new', () => {
  fc.assert(
    fc.property(row, subject => {
      const { outcome, evidence, entityId } = classifyContact(subjectOf(subject), NOW, WINDOW);
      expect(DEDUP_OUTCOMES).toContain(outcome);
      expect(evidence === null).toBe(outcome === 'net_new');
      expect(entityId === null).toBe(subject.known.length === 0);
    }),
  );
});

it('knowing more of somebody never makes a class rank lower', () => {
  fc.assert(
    fc.property(row, person, (subject, other) => {
      const more = { ...subject, known: [...subject.known, other] };
      expect(precedenceOf(outcomeOf(more))).toBeLessThanOrEqual(precedenceOf(outcomeOf(subject)));
      const input = subject.known.map(each => ({ ...each, claims: { ...each.claims, do_not_contact: [true, 1] } }));
      const wished = outcomeOf({ ...subject, known: input as unknown as Person[] });
      if (input.length > 0) expect(wished).toBe('unsubscribed');
    }),
  );
});

it('the class is that of the identity which outranks the others', () => {
  fc.assert(
    fc.property(row, ({ email, known }) => {
      const alone = known.map(each => precedenceOf(outcomeOf({ email, known: [each] })));
      expect(precedenceOf(outcomeOf({ email, known }))).toBe(Math.min(precedenceOf('net_new'), ...alone));
    }),
  );
});

it('a repeat points to the first row that shares a key with it, which is none itself', () => {
  const keys = fc.array(fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 3 }), { maxLength: 20 });
  fc.assert(
    fc.property(keys, rows => {
      const repeats = findDuplicates(rows);
      expect(repeats).toHaveLength(rows.length);
      for (const [index, original] of repeats.entries()) {
        const shares = rows.slice(0, index).some(before => before.some(key => rows[index]!.includes(key)));
        expect(original !== undefined).toBe(shares);
        if (original === undefined) continue;
        expect(original).toBeLessThan(index);
        expect(repeats[original]).toBeUndefined();
      }
    }),
  );
});

it('an alternate address is neither the dead one nor one that was replaced', () => {
  fc.assert(
    fc.property(person, fc.subarray(['a', 'b', 'c']), fc.constantFrom('a', undefined), (who, keys, dead) => {
      const status = statusOf(who, 0);
      const addresses = keys.map(key => ({ key, value: key }));
      const live = findCurrentEmail(status, addresses, dead);
      const candidates = keys.filter(key => key !== dead && !status.formerEmails.has(key));
      if (candidates.length === 0) expect(live).toBeUndefined();
      else expect(candidates).toContain(live);
    }),
  );
});
