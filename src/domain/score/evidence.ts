import type { JsonValue } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';

/** Why a fact that a rule needs cannot be used. */
export type MissingReason = 'absent' | 'expired' | 'contested' | 'low_confidence';

/** A known fact of a lead or its company. */
export interface KnownFact {
  readonly value: JsonValue;
  /** 0..0.99. */
  readonly confidence: number;
  /** Undefined if the fact can be used. */
  readonly lack?: MissingReason;
  /** Time of the last support. */
  readonly at: Instant;
  /** ID of the strongest supporting observation; null for attributes sent by the caller. */
  readonly ref: string | null;
}

/** An event of a lead. */
export interface KnownEvent {
  /** Canonical type without `interaction.`. */
  readonly type: string;
  readonly at: Instant;
  /** ID of the observation. */
  readonly ref: string;
}

/** Conditions that rule a lead out regardless of its scores. */
export type HardFlag =
  | 'unsubscribed'
  | 'do_not_contact'
  | 'disqualified'
  | 'no_live_channel'
  | 'own_domain'
  | 'suppressed';

/** Facts by canonical property. */
export type FactMap = ReadonlyMap<string, KnownFact>;

/** Everything known of a lead at one time. */
export interface Evidence {
  readonly person: FactMap;
  readonly company: FactMap;
  readonly events: readonly KnownEvent[];
  /** Whether the lead is identified by an address, a profile or a domain, so that it can be looked up. */
  readonly precise: boolean;
  /** Whether the lead can be reached: by a mailbox that did not bounce, a profile or a phone. */
  readonly reachable: boolean;
  /** Whether the facts were sent by the caller instead of read from the graph. Past activity is then unknown. */
  readonly inline: boolean;
  /** Registrable domains (ASCII) of the lead. */
  readonly domains: readonly string[];
  readonly flags: readonly HardFlag[];
}

/** Minimum confidence of a usable claim. */
export const MIN_CONFIDENCE = 0.3;

/**
 * Returns the fact that a rule reads: of the person, or of the company, whose properties are often recorded on the
 * person.
 */
export function findFact(evidence: Evidence, on: 'person' | 'company', property: string): KnownFact | undefined {
  if (on === 'person' || evidence.company === evidence.person) return evidence.person.get(property);
  const ofCompany = evidence.company.get(property);
  if (ofCompany && ofCompany.lack === undefined) return ofCompany;
  const withPerson = evidence.person.get(property);
  return withPerson && withPerson.lack === undefined ? withPerson : (ofCompany ?? withPerson);
}
