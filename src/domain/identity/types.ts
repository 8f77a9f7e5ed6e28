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

/** A phone number. Several people can have one, so it identifies an entity only while one has it. */
export interface PhoneFocus {
  readonly form: 'phone';
  /** The number in E.164: `+4930123456`. */
  readonly value: string;
  readonly key: string;
}

/** The ID of an entity in another system, such as a CRM. Unique by workspace and type of entity. */
export interface ExternalFocus {
  readonly form: 'external';
  /** Name of the system, such as `hubspot`. */
  readonly system: string;
  /** ID in that system; case-sensitive. */
  readonly id: string;
  readonly entityType: EntityType;
  /** `<system>:<id>`. */
  readonly value: string;
  /** `<type>:<system>:<id>`. */
  readonly key: string;
}

/** A focus with an external identifier. */
export type IdentifierFocus = EmailFocus | DomainFocus | LinkedinFocus | PhoneFocus | ExternalFocus;

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
