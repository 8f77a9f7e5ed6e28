import type { JsonValue } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';

/** Why something that a rule needs cannot be used. */
export type MissingReason = 'absent' | 'expired' | 'contested' | 'low_confidence';

/** A fact that is known of a lead or its company. */
export interface KnownFact {
  readonly value: JsonValue;
  /** 0..0.99. */
  readonly confidence: number;
  /** Undefined: it can be used. */
  readonly lack?: MissingReason;
  /** When it was last supported. */
  readonly at: Instant;
  /** Id of the observation that says so most strongly; null for what a caller brought along. */
  readonly ref: string | null;
}

/** Something that happened with a lead. */
export interface KnownEvent {
  /** Canonical, without `interaction.`. */
  readonly type: string;
  readonly at: Instant;
  /** Id of the observation. */
  readonly ref: string;
}

/** What rules a lead out, whatever its scores. */
export type HardFlag =
  | 'unsubscribed'
  | 'do_not_contact'
  | 'disqualified'
  | 'no_live_channel'
  | 'own_domain'
  | 'suppressed';

/** Facts by canonical property. */
export type FactMap = ReadonlyMap<string, KnownFact>;

/** All that is known of a lead at one time. */
export interface Evidence {
  readonly person: FactMap;
  readonly company: FactMap;
  readonly events: readonly KnownEvent[];
  /** Named by an address, a profile or a domain, so that somebody could look it up. */
  readonly precise: boolean;
  /** Can be reached: a mailbox that did not bounce, a profile or a telephone. */
  readonly reachable: boolean;
  /** Facts that a caller brought along instead of the graph: what was done with the lead, nobody knows. */
  readonly inline: boolean;
  /** Registrable domains (ASCII) of the lead. */
  readonly domains: readonly string[];
  readonly flags: readonly HardFlag[];
}

/** Claims less sure than this are not used. */
export const MIN_CONFIDENCE = 0.3;

/** The claim of a rule: of the person, or of the company, whose properties often stand with the person. */
export function findFact(evidence: Evidence, on: 'person' | 'company', property: string): KnownFact | undefined {
  if (on === 'person' || evidence.company === evidence.person) return evidence.person.get(property);
  const ofCompany = evidence.company.get(property);
  if (ofCompany && ofCompany.lack === undefined) return ofCompany;
  const withPerson = evidence.person.get(property);
  return withPerson && withPerson.lack === undefined ? withPerson : (ofCompany ?? withPerson);
}
