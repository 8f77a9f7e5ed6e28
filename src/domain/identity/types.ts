/** What an entity is. */
export type EntityType = 'person' | 'company';

/** An entity's own id. */
export interface UuidFocus {
  readonly form: 'uuid';
  /** Lower case, `8-4-4-4-12`. */
  readonly id: string;
}

/** A mailbox. */
export interface EmailFocus {
  readonly form: 'email';
  /** The address to write to: lower case, host in ASCII, `+tag` kept. */
  readonly value: string;
  /** The mailbox: equal for all spellings that the provider delivers to one mailbox. */
  readonly key: string;
  /** What stands before the `@` of `value`. */
  readonly local: string;
  /** What stands behind the `@` of `value`. */
  readonly host: string;
  /** Registrable domain of `host`; null when the host is itself a (private) public suffix. */
  readonly domain: string | null;
}

/** A company's domain. */
export interface DomainFocus {
  readonly form: 'domain';
  /** The registrable domain as people read it (`bücher.de`). */
  readonly value: string;
  /** The same in ASCII (`xn--bcher-kva.de`). */
  readonly key: string;
}

/** A LinkedIn profile or company page. */
export interface LinkedinFocus {
  readonly form: 'linkedin';
  /** A link that opens, with the slug as it was given. */
  readonly value: string;
  /** `linkedin.com/<kind>/<slug>`, lower case. */
  readonly key: string;
  readonly entityType: EntityType;
}

/** A bare name: good enough to look for, never to write to. */
export interface NameFocus {
  readonly form: 'name';
  readonly key: string;
  /** The name as given, white space tidied. */
  readonly text: string;
}

/** Text that names nobody. */
export interface InvalidFocus {
  readonly form: 'invalid';
  /** A sentence for people: what is wrong and what to send instead. */
  readonly reason: string;
}

/** Systems that know people by ids of their own. */
export const externalKinds = ['linkedin_member_id', 'hubspot', 'pipedrive', 'apollo', 'attio'] as const;

/** The id that another system has for a person. No text is read as one: it comes from a field that says which it is. */
export interface ExternalFocus {
  readonly form: (typeof externalKinds)[number];
  readonly value: string;
  readonly key: string;
}

/** A focus that carries an outside identifier. */
export type IdentifierFocus = EmailFocus | DomainFocus | LinkedinFocus | ExternalFocus;

/** A focus that a write accepts. */
export type PreciseFocus = UuidFocus | IdentifierFocus;

/** What the text of a `focus` parameter means. */
export type Focus = PreciseFocus | NameFocus | InvalidFocus;

/** An identifier as it is stored: unique by `(kind, key)` in a workspace. */
export interface Identifier {
  readonly kind: IdentifierFocus['form'];
  readonly value: string;
  readonly key: string;
}

/** Says why a text names nobody. */
export function toInvalidFocus(reason: string): InvalidFocus {
  return { form: 'invalid', reason };
}
