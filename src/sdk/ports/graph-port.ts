import type { ChangesOptions, ChangesPage } from './changes.js';
import type { EntityWithClaims, FoundEntity, LookupResult } from './entities.js';
import type { LeadsPort } from './leads-port.js';
import type {
  CompaniesPort,
  PeopleListOptions,
  PersonInput,
  PersonListPage,
  UpsertOptions,
  UpsertResult,
} from './people-port.js';
import type { RetractOptions, RetractResult } from './retractions.js';
import type { Json, JsonObject } from '../schema.js';

/**
 * Access to the graph for plugins. Writes follow the same rules as those of the API. `source` is the plugin's ID
 * unless set.
 * @example
 * ```ts
 * await hub.graph.record('ada@acme.io', [
 *   { kind: 'event', property: 'interaction.call_held', external_id: 'acme:c-1', observed_at: call.endedAt,
 *     value: { description: 'Call of 12 minutes with Ada.', minutes: 12 } },
 * ]);
 * ```
 */
export interface GraphPort {
  /**
   * Appends observations to the entity that `focus` identifies; a bare name is rejected. Creates the entity if it does
   * not exist. A repeated `external_id` and property changes nothing.
   * @throws PermanentError if the focus or an observation is rejected, or if several people have the phone number
   */
  record(focus: Focus, observations: readonly ObservationInput[]): Promise<RecordResult>;
  /**
   * Records observations about up to 1000 entities in order, with few transactions. Every row has a result of its own;
   * an invalid row does not affect the others.
   * @throws PermanentError for more rows
   */
  recordMany(rows: readonly RecordRow[]): Promise<readonly RecordManyResult[]>;
  /**
   * Attaches a document to the entity. A repeated `external_id` changes nothing.
   * @throws PermanentError if it is rejected
   */
  note(focus: Focus, note: NoteInput): Promise<{ readonly note_id: string; readonly entity_id: string }>;
  /**
   * Finds the entity that `focus` identifies, with its claims. Bare names are accepted; they and phone numbers may be
   * ambiguous. Never creates entities.
   */
  find(focus: Focus): Promise<LookupResult>;
  /**
   * Finds the entities that up to 1000 focuses identify, in order; null for those that identify none or are invalid.
   * Never creates entities.
   * @throws PermanentError for more focuses, or for a bare name
   */
  findMany(focuses: readonly Focus[]): Promise<readonly (FoundEntity | null)[]>;
  /**
   * Reads up to 1000 entities by ID with their claims about up to 100 properties, in order; null for IDs that no entity
   * has. The time does not grow with the history.
   * @throws PermanentError for more IDs or properties, or for what is no ID
   */
  readMany(entityIds: readonly string[], properties: readonly string[]): Promise<readonly (EntityWithClaims | null)[]>;
  /**
   * Links an existing entity to its ID in another system; afterwards `{ external }` identifies it. If another entity
   * has the ID, the two are merged, or a merge is proposed if something speaks against it. Repeating it changes nothing.
   * @throws PermanentError if the entity does not exist or has another type, or if the ID is invalid
   */
  link(focus: Focus, external: ExternalFocus['external']): Promise<LinkResult>;
  /**
   * Lists the interactions of an entity (its ID) that cause events such as `reply.received`, in the order in which
   * they were recorded, oldest first. Use it to order the events of an entity, which are delivered in no particular
   * order.
   */
  listInteractions(entityId: string, options?: InteractionsOptions): Promise<readonly InteractionRecord[]>;
  /**
   * Returns what changed since a cursor, in the order in which it was committed; no change is missed, also beside
   * concurrent writes. Read until `has_more` is false, and store `next`.
   * @throws PermanentError if an option is invalid
   */
  changes(options?: ChangesOptions): Promise<ChangesPage>;
  /**
   * Withdraws what a source stated, page by page, as if it never had: leads that nobody has worked, notes, and
   * observations with all that rests on them. One page fits a step of a run. What was retracted can be recorded again.
   * @throws PermanentError for a source of the hub (`system:…`), or if an option is invalid
   */
  retract(source: string, options?: RetractOptions): Promise<RetractResult>;
  /** Returns the canonical name of a state property: `job_title` becomes the claim `title`. */
  canonicalProperty(name: string): Promise<string>;
  /**
   * Returns whether two values of a state property can both be true, as claims are compared: they are equal, or one says
   * the same less exactly (`VP Sales` and `Vice President of Sales at Acme`, `51-200` and `120`, `Acme` and `ACME, Inc.`).
   */
  valuesAgree(property: string, one: Json, other: Json): Promise<boolean>;
  /** Reads and writes people. */
  readonly people: PeoplePort;
  /** Writes companies. */
  readonly companies: CompaniesPort;
  /** Adds people to lead lists. */
  readonly leads: LeadsPort;
}

/**
 * Identifies an entity: a text (entity ID, e-mail address, domain, LinkedIn URL, or a bare name to read), the ID that it
 * has in another system, or a phone number. Numbers without a country code belong to `default_country` of the workspace
 * profile. Several people can have one number.
 * @example { external: { system: 'hubspot', id: '501' } }
 */
export type Focus = string | ExternalFocus | PhoneFocus;

/**
 * The ID of an entity in another system, unique by workspace, system and type. IDs are case-sensitive.
 * @example { external: { system: 'hubspot', id: '77', type: 'company' } }
 */
export interface ExternalFocus {
  readonly external: {
    /** Name of the system in lower case, such as `hubspot`. */
    readonly system: string;
    readonly id: string;
    /** Default: `person`. */
    readonly type?: 'person' | 'company';
  };
}

/**
 * A phone number.
 * @example { phone: '+49 30 123456' }
 */
export interface PhoneFocus {
  readonly phone: string;
}

/**
 * An observation to record: an event or a state.
 * @example { kind: 'state', property: 'title', value: 'CFO', observed_at: '2026-11-20T09:00:00Z' }
 */
export interface ObservationInput {
  /** `event`: something happened. `state`: a property has a value. */
  readonly kind: 'event' | 'state';
  /** Events: `interaction.<type>`; states: a bare name. */
  readonly property: string;
  /** Events: details, with a readable sentence in `description`. States: the value; null if the fact has ended. */
  readonly value?: Json;
  /** Default: the plugin's id. */
  readonly source?: string;
  /** Default: `plugin`. */
  readonly method?: string;
  /** ISO 8601. Default: now. Set it unless the current time is correct, because a repeated call has another time. */
  readonly observed_at?: string;
  /** The provider's ID of this event or fact, which deduplicates repeated calls. */
  readonly external_id?: string;
  /** The original data of the provider, kept for audits. */
  readonly raw?: JsonObject;
}

/**
 * Selects interactions.
 * @example { until: payload.observation_id, limit: 5 }
 */
export interface InteractionsOptions {
  /** ID of the last observation to return. Default: the newest. */
  readonly until?: string;
  /** Maximum number of interactions, counted from the newest; 1 to 100. Default: 20. */
  readonly limit?: number;
}

/**
 * An observation that causes an event.
 * @example `${interaction.event}: ${interaction.observation.property}`
 */
export interface InteractionRecord {
  /** Name of the event. */
  readonly event: 'reply.received' | 'connection.accepted' | 'meeting.scheduled' | 'meeting.cancelled';
  readonly entity_id: string;
  /** ISO 8601. */
  readonly recorded_at: string;
  readonly observation: {
    readonly id: string;
    readonly kind: 'event';
    readonly property: string;
    readonly value: Json;
    readonly source: string;
    readonly method: string;
    /** ISO 8601. */
    readonly observed_at: string;
    readonly external_id: string | null;
  };
}

/**
 * Result of `record`.
 * @example const { recorded, duplicates } = await hub.graph.record(focus, observations);
 */
export interface RecordResult {
  readonly entity_id: string;
  readonly entity_created: boolean;
  /** Number of appended observations, without duplicates. */
  readonly recorded: number;
  /** Number of observations that existed already, with the same external ID. */
  readonly duplicates: number;
  /** Observations whose external ID exists with other content. */
  readonly conflicts: readonly ObservationConflict[];
  readonly claims_recomputed: readonly string[];
}

/**
 * A row of `recordMany`. With `external_id`, the ID of the record at the provider, observations need no `external_id` of
 * their own: the hub derives it from plugin, record, property, value and `observed_at`, so that a changed value is
 * appended and a repeat is a duplicate. Send `observed_at` if a value can return to an earlier one: without it, the
 * return is a duplicate too. Without `focus`, the record itself is the person: `{ external: { system: <plugin>, id } }`.
 * @example { focus: 'ada@acme.io', external_id: 'c-501', observations: [{ kind: 'state', property: 'title', value: 'CFO', observed_at: record.updatedAt }] }
 */
export interface RecordRow {
  readonly focus?: Focus;
  /** ID of the record at the provider. Required without `focus`. */
  readonly external_id?: string;
  /** 1 to 1000. */
  readonly observations: readonly ObservationInput[];
}

/**
 * Result of one row of `recordMany`, in the order of the rows.
 * @example results.forEach((result, i) => 'error' in result && run.report({ at: i, error: result.error }))
 */
export type RecordManyResult = RecordResult | { readonly error: string; readonly field?: string };

/**
 * An observation that was not appended: one with the same external ID has other content, which stays.
 * @example result.conflicts.map(conflict => conflict.property)
 */
export interface ObservationConflict {
  /** Position among the observations, from 0. */
  readonly index: number;
  readonly property: string;
  readonly external_id: string;
  /** ID of the existing observation. */
  readonly existing_id: string;
}

/**
 * Result of `link`.
 * @example if (result.merge?.status === 'proposed') hub.log.info('Somebody else has this ID.');
 */
export interface LinkResult {
  /** The entity, after the merge if there was one. */
  readonly entity_id: string;
  /** What became of the other entity that has the ID; null if there is none. */
  readonly merge: { readonly status: 'merged' | 'proposed'; readonly other_entity_id: string } | null;
}

/**
 * A document about a contact.
 * @example { type: 'transcript', title: 'Demo call', content: text, date: '2026-11-20', external_id: 'acme:t-9' }
 */
export interface NoteInput {
  /** `meeting_brief`, `transcript`, `meeting_notes` or `note`. Default: `note`. */
  readonly type?: string;
  readonly title: string;
  /** Plain text or Markdown. */
  readonly content: string;
  /** YYYY-MM-DD. Default: today. */
  readonly date?: string;
  /** Default: the plugin's id. */
  readonly source?: string;
  readonly external_id?: string;
}

/**
 * Access to people.
 * @example await hub.graph.people.upsert([{ email: 'ada@acme.io', name: 'Ada Byron', title: 'CFO' }]);
 */
export interface PeoplePort {
  /**
   * Creates or updates people, matched by their identifiers; at most 1000 per call. An invalid row does not affect
   * the others.
   */
  upsert(people: readonly PersonInput[], options?: UpsertOptions): Promise<readonly UpsertResult[]>;
  /** Lists the people of the workspace that have an e-mail address, page by page, in order of creation. */
  list(page?: PeopleListOptions): Promise<PersonListPage>;
}
