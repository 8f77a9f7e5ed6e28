import type { Json } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';

/** What a class rests on: an observation, or a list. */
export interface Proof {
  readonly observationId?: string | undefined;
  readonly listId?: string | undefined;
  readonly at: Instant;
}

/** A claim that decides. */
export interface DecidingClaim {
  readonly value: Json;
  readonly proof: Proof;
}

/** The claims that classes are read from, by canonical property. What has ended is missing, but for `email`. */
export interface DecidingClaims {
  readonly do_not_contact?: DecidingClaim | undefined;
  readonly unsubscribed?: DecidingClaim | undefined;
  readonly email_status?: DecidingClaim | undefined;
  readonly stage?: DecidingClaim | undefined;
}

/** Where somebody stands who is in the graph. */
export interface Standing {
  readonly entityId: string;
  readonly claims: DecidingClaims;
  /** Key of the address that stands, if one was ever stated. */
  readonly currentEmail: string | undefined;
  /** Addresses that stood before, by key, and when they were displaced. */
  readonly endedEmails: ReadonlyMap<string, Proof>;
  /** When the other side last turned to us; null: never. */
  readonly lastInbound: Proof | null;
  /** The last interaction in either direction. */
  readonly lastActivity: Proof | null;
  /** The next meeting that was not cancelled. */
  readonly meeting: Proof | null;
  /** Memberships that count, the newest first. */
  readonly lists: readonly Proof[];
}

/** A row, with whoever it means. */
export interface Subject {
  /** Key of the address in the row. */
  readonly email: string | undefined;
  /** Whom its identifiers name, in the order address, profile, domain; none when nobody is known. */
  readonly known: readonly { readonly kind: string; readonly standing: Standing }[];
  /** That nobody of its domain shall be contacted. */
  readonly blocked: Proof | null;
}
