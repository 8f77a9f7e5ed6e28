import type { JsonValue } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';

/** What a class rests on: an observation, or a list. */
export interface DedupEvidence {
  readonly observationId?: string | undefined;
  readonly listId?: string | undefined;
  readonly at: Instant;
}

/** A claim that decides. */
export interface ClassifyingClaim {
  readonly value: JsonValue;
  readonly proof: DedupEvidence;
}

/** The claims that classes are read from, by canonical property. What has ended is missing, but for `email`. */
export interface ClassifyingClaims {
  readonly do_not_contact?: ClassifyingClaim | undefined;
  readonly unsubscribed?: ClassifyingClaim | undefined;
  readonly email_status?: ClassifyingClaim | undefined;
  readonly stage?: ClassifyingClaim | undefined;
}

/** Where somebody stands who is in the graph. */
export interface ContactStatus {
  readonly entityId: string;
  readonly claims: ClassifyingClaims;
  /** Key of the address that stands, if one was ever stated. */
  readonly currentEmail: string | undefined;
  /** Addresses that stood before, by key, and when they were displaced. */
  readonly formerEmails: ReadonlyMap<string, DedupEvidence>;
  /** When the other side last turned to us; null: never. */
  readonly lastInbound: DedupEvidence | null;
  /** The last interaction in either direction. */
  readonly lastActivity: DedupEvidence | null;
  /** The next meeting that was not cancelled. */
  readonly meeting: DedupEvidence | null;
  /** Memberships that count, the newest first. */
  readonly lists: readonly DedupEvidence[];
}

/** A row, with whoever it means. */
export interface DedupSubject {
  /** Key of the address in the row. */
  readonly email: string | undefined;
  /** Whom its identifiers name, in the order address, profile, domain; none when nobody is known. */
  readonly known: readonly { readonly kind: string; readonly standing: ContactStatus }[];
  /** That nobody of its domain shall be contacted. */
  readonly blocked: DedupEvidence | null;
}
