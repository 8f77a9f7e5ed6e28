import type { Json, JsonObject } from './schema.js';

/**
 * All events of the hub with their payloads: IDs and small facts, never whole entities. A plugin lists events in
 * `consumes` and handles them with `@OnEvent`, or in batches with `@OnEvents`. They are delivered after the commit, at
 * least once, in no particular order.
 * @example
 * ```ts
 * @OnEvent('contact.imported')
 * async backfill({ payload }: PluginEvent<'contact.imported'>, hub: HubContext) {
 *   if (payload.email) await hub.jobs.emit('backfill', { email: payload.email }, { key: payload.entity_id });
 * }
 * ```
 */
export interface EventMap {
  /** Observations were appended to an entity. Duplicates do not cause an event. */
  readonly 'observation.recorded': {
    readonly entity_id: string;
    readonly entity_created: boolean;
    readonly observation_ids: readonly string[];
    /** Properties of the appended observations, each once. */
    readonly properties: readonly string[];
    readonly claims_recomputed: readonly string[];
  };
  /** Claims of an entity were recomputed. */
  readonly 'claims.recomputed': { readonly entity_id: string; readonly properties: readonly string[] };
  /** A person was created. */
  readonly 'contact.created': ContactFacts;
  /** A person was part of an import, new or existing. */
  readonly 'contact.imported': ContactFacts & { readonly import_id: string };
  /** The score or the play of a person changed, whether or not the person is in a lead list. */
  readonly 'lead.scored': {
    readonly entity_id: string;
    /** 0 to 100; null if every layer is unknown. */
    readonly priority: number | null;
    readonly play: string;
    /** The rule that chose the play. */
    readonly play_rule: string;
    /** How well the person fits the model, 0 to 100; null if unknown. */
    readonly icp_score: number | null;
    /** The model as `<id>@<version>`; null if the workspace has none. */
    readonly icp_model: string | null;
  };
  /**
   * A caller requested a fact to be refreshed from an external source, such as an e-mail verification. Record the
   * result as an observation; no response is expected.
   */
  readonly 'fact.refresh_requested': {
    /** ID of the refresh request, which the caller has received too. */
    readonly job_id: string;
    readonly entity_id: string;
    /** Canonical name, such as `email_status`. */
    readonly property: string;
  };
  /** A note was attached to a contact. */
  readonly 'note.saved': {
    readonly note_id: string;
    readonly entity_id: string;
    readonly type: string;
    readonly title: string;
  };
  /**
   * A person was erased, and everything the hub stores about them is gone. Delete what the plugin keeps elsewhere
   * under these IDs.
   */
  readonly 'person.erased': {
    readonly erasure_id: string;
    readonly entity_id: string;
    /** Other IDs of the same person. */
    readonly merged_ids: readonly string[];
  };
  /** A reply by e-mail or LinkedIn was received. */
  readonly 'reply.received': InteractionFacts;
  /** A connection request was accepted. */
  readonly 'connection.accepted': InteractionFacts;
  /** A meeting was scheduled or rescheduled. */
  readonly 'meeting.scheduled': InteractionFacts;
  /** A meeting was cancelled. */
  readonly 'meeting.cancelled': InteractionFacts;
  /** A run of a plugin, such as an import, has finished. */
  readonly 'run.finished': RunFacts;
  /** A run of a plugin has failed. A user can retry it. */
  readonly 'run.failed': RunFacts & {
    /** Why, for users. */
    readonly error: string;
  };
  /** A connection of a plugin was created. */
  readonly 'connection.connected': ConnectionFacts;
  /** A connection of a plugin was removed. */
  readonly 'connection.removed': ConnectionFacts;
}

/**
 * Payload of events about a person.
 * @example const { entity_id, email }: ContactFacts = event.payload;
 */
export interface ContactFacts {
  readonly entity_id: string;
  readonly email: string | null;
  readonly name: string | null;
}

/**
 * Payload of events about a recorded interaction. Each interaction causes one event, whatever interface recorded it.
 * Observations with the method `import` or `backfill` are history and cause no event. `hub.graph.listInteractions`
 * returns the order.
 * @example const [latest] = (await hub.graph.listInteractions(payload.entity_id, { until: payload.observation_id })).toReversed();
 */
export interface InteractionFacts {
  readonly entity_id: string;
  readonly observation_id: string;
  /** Property of the observation, such as `interaction.email_replied`. */
  readonly property: string;
}

/**
 * Payload of events about a run.
 * @example if (event.payload.sync) …
 */
export interface RunFacts {
  readonly run_id: string;
  /** ID of the plugin. */
  readonly plugin: string;
  /** Name of the run in the manifest. */
  readonly run: string;
  /** Title of the run, for users. */
  readonly title: string;
  /** Whether the run keeps the graph in step with a provider. */
  readonly sync: boolean;
  /** Null for a plugin without a connection. */
  readonly connection_id: string | null;
  /** `done` of its progress. */
  readonly done: number;
  /** Number of rows that it reported. */
  readonly reported: number;
}

/**
 * Payload of events about a connection.
 * @example if (event.payload.plugin === 'calcom') …
 */
export interface ConnectionFacts {
  readonly connection_id: string;
  /** ID of the plugin. */
  readonly plugin: string;
}

/**
 * Name of an event of the hub.
 * @example const wanted: EventName[] = ['contact.imported', 'note.saved'];
 */
export type EventName = keyof EventMap;

/**
 * An event as received by `@OnEvent`. For events of other plugins, give the type of the payload.
 * @example async onCalled({ payload }: PluginEvent<'acme-dialer.called', { call_id: string }>, hub: HubContext) { … }
 */
export interface PluginEvent<
  Name extends string = string,
  Payload = Name extends EventName ? EventMap[Name] : { readonly [key: string]: Json },
> {
  /** The same in every delivery. */
  readonly id: string;
  readonly type: Name;
  readonly payload: Payload;
  readonly occurredAt: Date;
}

/**
 * The payload of an event that a plugin publishes.
 * @example const payload: CustomEventPayload = { call_id: 'c-1', seconds: 184 };
 */
export type CustomEventPayload = JsonObject;
