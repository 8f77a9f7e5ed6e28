import type { JsonValue } from '#domain/observation/observation.js';
import type { Evidence, KnownFact, MissingReason } from '#domain/score/evidence.js';
import { DAY_US, type Instant, parseInstant } from '#domain/time/instant.js';

/** The time that golden vectors are read at. */
export const NOW: Instant = parseInstant('2026-11-20T00:00:00Z')!;

/** A fact of a vector: property, value, and what is not as usual about it. */
export type FactVector = readonly [
  property: string,
  value: JsonValue,
  more?: { readonly missingReason?: MissingReason; readonly age?: number; readonly confidence?: number },
];

/** An event of a vector: type and age in days. */
export type EventVector = readonly [type: string, age: number];

/** Evidence about somebody who is named by an address that works. Facts are the person's and the company's alike. */
export function evidenceWith(
  facts: readonly FactVector[],
  events: readonly EventVector[] = [],
  more: Partial<Evidence> = {},
): Evidence {
  const known = new Map(facts.map(([property, value, how]) => [property, factOf(value, how)]));
  return {
    person: known,
    company: known,
    events: events.map(([type, age], i) => ({ type, at: NOW - age * DAY_US, ref: `event-${i}` })),
    precise: true,
    reachable: true,
    inline: false,
    domains: [],
    flags: [],
    ...more,
  };
}

function factOf(value: JsonValue, { missingReason, age = 0, confidence = 0.75 }: FactVector[2] = {}): KnownFact {
  return { value, confidence, at: NOW - age * DAY_US, ref: 'fact', ...(missingReason && { missingReason }) };
}
