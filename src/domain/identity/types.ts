/** Types of entities. */
export type EntityType = 'person' | 'company';

/** The ID of an entity. */
export interface UuidFocus {
  readonly form: 'uuid';
  /** Lower case, `8-4-4-4-12`. */
  readonly id: string;
}

/** An e-mail address. */
export interface EmailFocus {
  readonly form: 'email';
  /** The address: lower case, host in ASCII, `+tag` kept. */
  readonly value: string;
  /** Key of the mailbox: equal for all spellings that the provider delivers to one mailbox. */
  readonly key: string;
  /** The part of `value` before the `@`. */
  readonly local: string;
  /** The part of `value` after the `@`. */
  readonly host: string;
  /** Registrable domain of `host`; null if the host is itself a (private) public suffix. */
  readonly domain: string | null;
}

/** A company's domain. */
export interface DomainFocus {
  readonly form: 'domain';
  /** The registrable domain in Unicode (`bücher.de`). */
  readonly value: string;
  /** The same in ASCII (`xn--bcher-kva.de`). */
  readonly key: string;
}

/** A LinkedIn profile or company page. */
export interface LinkedinFocus {
  readonly form: 'linkedin';
  /** A valid link with the slug as given. */
  readonly value: string;
  /** `linkedin.com/<kind>/<slug>`, lower case. */
  readonly key: string;
  readonly entityType: EntityType;
}

/** A bare name: enough to search, never to write. */
export interface NameFocus {
  readonly form: 'name';
  readonly key: string;
  /** The name as given, with white space normalised. */
  readonly text: string;
}

/** Text that identifies nobody. */
export interface InvalidFocus {
  readonly form: 'invalid';
  /** A sentence that says what is wrong and what to send instead. */
  readonly reason: string;
}

/** Systems that have IDs of people. */
export const externalKinds = ['linkedin_member_id', 'hubspot', 'pipedrive', 'apollo', 'attio'] as const;

/** The ID of a person in another system. It always comes from a field that names the system, never from free text. */
export interface ExternalFocus {
  readonly form: (typeof externalKinds)[number];
  readonly value: string;
  readonly key: string;
}

/** A focus with an external identifier. */
export type IdentifierFocus = EmailFocus | DomainFocus | LinkedinFocus | ExternalFocus;

/** A focus that a write accepts. */
export type PreciseFocus = UuidFocus | IdentifierFocus;

/** The parsed text of a `focus` parameter. */
export type Focus = PreciseFocus | NameFocus | InvalidFocus;

/** An identifier as it is stored; `(kind, key)` is unique per workspace. */
export interface Identifier {
  readonly kind: IdentifierFocus['form'];
  readonly value: string;
  readonly key: string;
}

/** Returns an invalid focus with its reason. */
export function toInvalidFocus(reason: string): InvalidFocus {
  return { form: 'invalid', reason };
}
