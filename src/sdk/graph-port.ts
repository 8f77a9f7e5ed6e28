import type { Json, JsonObject } from './json.js';

/**
 * The graph, for plugins. All writes end where those of the API do, under the same rules; `source` is the plugin's
 * id unless said otherwise.
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
   * Appends observations to the entity that `focus` names (an id, email, domain or LinkedIn URL, no bare name), which
   * is made when it does not exist. The same `external_id` and property again changes nothing.
   * @throws PermanentError when the focus or an observation is not accepted
   */
  record(focus: string, observations: readonly ObservationInput[]): Promise<RecordResult>;
  /** Attaches a document to the entity. The same `external_id` again changes nothing. @throws PermanentError */
  note(focus: string, note: NoteInput): Promise<{ readonly note_id: string; readonly entity_id: string }>;
  /** Who `focus` names, with the claims. Bare names are accepted and may be ambiguous; nothing is ever made. */
  find(focus: string): Promise<LookupResult>;
  /**
   * What events such as `reply.received` tell of an entity (its id), in the order in which it landed, oldest first. With
   * it a handler brings events of one entity into their order, in which they do not arrive.
   */
  listInteractions(entityId: string, options?: InteractionsOptions): Promise<readonly InteractionRecord[]>;
  /** The name under which the graph keeps a state property: what is stated as `job_title` is the claim `title`. */
  canonicalProperty(name: string): Promise<string>;
  /** Direct writing of people. */
  readonly people: PeoplePort;
}

/**
 * One thing that happened or is so.
 * @example { kind: 'state', property: 'title', value: 'CFO', observed_at: '2026-11-20T09:00:00Z' }
 */
export interface ObservationInput {
  /** `event`: something happened. `state`: a fact is stated. */
  readonly kind: 'event' | 'state';
  /** Events: `interaction.<type>`; states: a bare name. */
  readonly property: string;
  /** Events: details, with `description`, a sentence for people. States: the value, null when the fact has ended. */
  readonly value?: Json;
  /** Default: the plugin's id. */
  readonly source?: string;
  /** Default: `plugin`. */
  readonly method?: string;
  /** ISO 8601. Default: now. Leave it out only when now is right: a repeat would have another time. */
  readonly observed_at?: string;
  /** The provider's id of this very thing; makes a repeat harmless. */
  readonly external_id?: string;
  /** What the provider sent, kept for audit. */
  readonly raw?: JsonObject;
}

/**
 * Which interactions are read.
 * @example { until: payload.observation_id, limit: 5 }
 */
export interface InteractionsOptions {
  /** The last one, by the id of its observation. Default: the newest. */
  readonly until?: string;
  /** 1 to 100, the newest of them. Default: 20. */
  readonly limit?: number;
}

/**
 * An observation that is told as an event.
 * @example `${interaction.event}: ${interaction.observation.property}`
 */
export interface InteractionRecord {
  /** Such as `reply.received`. */
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
 * What became of `record`.
 * @example const { recorded, duplicates } = await hub.graph.record(focus, observations);
 */
export interface RecordResult {
  readonly entity_id: string;
  readonly entity_created: boolean;
  /** Appended; repeats are not counted. */
  readonly recorded: number;
  /** Were there already, under the same external id. */
  readonly duplicates: number;
  readonly claims_recomputed: readonly string[];
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
 * The answer of `find`; `null` stands for nobody.
 * @example
 * ```ts
 * const found = await hub.graph.find('ada@acme.io');
 * if (found?.status === 'one' && found.entity.claims['title']?.confidence > 0.7) …
 * ```
 */
export type LookupResult =
  | { readonly status: 'one'; readonly entity: EntitySummary }
  | {
      readonly status: 'ambiguous';
      readonly candidates: readonly { readonly entity_id: string; readonly name: string | null }[];
    }
  | null;

/**
 * An entity with what is claimed of it.
 * @example const title = entity.claims['title']?.value;
 */
export interface EntitySummary {
  readonly id: string;
  readonly type: 'person' | 'company';
  readonly name: string | null;
  readonly email: string | null;
  readonly title: string | null;
  readonly company: string | null;
  /** By property. */
  readonly claims: Readonly<Record<string, ClaimSummary>>;
}

/**
 * A derived fact, with how well it is known.
 * @example if (claim.freshness === 'fresh' && claim.confidence > 0.7) …
 */
export interface ClaimSummary {
  readonly value: Json;
  /** 0 to 1. */
  readonly confidence: number;
  readonly freshness: string;
  readonly epistemic_class: string;
}

/**
 * People, written directly.
 * @example await hub.graph.people.upsert([{ email: 'ada@acme.io', name: 'Ada Byron', title: 'CFO' }]);
 */
export interface PeoplePort {
  /**
   * Creates people or adds to those who are known by one of their identifiers; at most 1000 in a call. One bad row
   * does not stop the others.
   */
  upsert(people: readonly PersonInput[], options?: UpsertOptions): Promise<readonly UpsertResult[]>;
  /** The people of the workspace who have an e-mail address, page by page, in the order in which they became known. */
  list(page?: PeopleListOptions): Promise<PersonListPage>;
}

/**
 * Which part of the people.
 * @example { after: page.next ?? undefined, limit: 500 }
 */
export interface PeopleListOptions {
  /** `next` of the page before. Default: from the beginning. */
  readonly after?: string;
  /** 1 to 1000. Default: 100. */
  readonly limit?: number;
}

/**
 * A page of people.
 * @example for (let after: string | null = ''; after !== null;) ({ people, next: after } = await hub.graph.people.list({ after }));
 */
export interface PersonListPage {
  readonly people: readonly PersonSummary[];
  /** Goes into `after` of the next page; null at the end. */
  readonly next: string | null;
}

/**
 * A person with all e-mail addresses, the first known one first.
 * @example const [email] = person.emails;
 */
export interface PersonSummary {
  readonly entity_id: string;
  readonly name: string | null;
  readonly emails: readonly string[];
}

/**
 * A person; `email` or `linkedin_url` is needed. Other keys are properties, stated as they are.
 * @example { email: 'ada@acme.io', name: 'Ada Byron', title: 'CFO', company: 'Acme', seniority: 'c_level' }
 */
export interface PersonInput {
  readonly email?: string;
  readonly linkedin_url?: string;
  readonly name?: string;
  readonly title?: string;
  readonly company?: string;
  readonly [property: string]: Json | undefined;
}

/**
 * Where people come from.
 * @example { importId: 'imp-7', source: 'csv' }
 */
export interface UpsertOptions {
  /** The hub then publishes `contact.imported` for every row, known before or not. */
  readonly importId?: string;
  /** Default: the plugin's id. */
  readonly source?: string;
  /** ISO 8601; when the rows were true. Default: now. */
  readonly observedAt?: string;
}

/**
 * What became of one row, in the order of the rows.
 * @example answers.filter(answer => 'error' in answer)
 */
export type UpsertResult =
  | {
      readonly entity_id: string;
      readonly created: boolean;
      /** Fields that were ignored because they hold a placeholder such as `N/A`; left out if there are none. */
      readonly warnings?: readonly { readonly field: string; readonly message: string }[];
    }
  | { readonly error: string; readonly field?: string };
