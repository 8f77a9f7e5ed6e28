import type { Json, JsonObject } from './json.js';

/**
 * Every event of the hub and what it carries: ids and small facts, never whole entities. A plugin names those it
 * wants in `consumes` and takes them with `@OnEvent`, or several at a time with `@OnEvents`. They arrive after the commit, at least once, in no order.
 * @example
 * ```ts
 * @OnEvent('contact.imported')
 * async backfill({ payload }: PluginEvent<'contact.imported'>, hub: HubContext) {
 *   if (payload.email) await hub.jobs.emit('backfill', { email: payload.email }, { key: payload.entity_id });
 * }
 * ```
 */
export interface EventMap {
  /** Observations were appended to an entity; repeats are not told. */
  readonly 'observation.recorded': {
    readonly entity_id: string;
    readonly entity_created: boolean;
    readonly observation_ids: readonly string[];
    /** Properties of the appended observations, each once. */
    readonly properties: readonly string[];
    readonly claims_recomputed: readonly string[];
  };
  /** Claims of an entity have been derived again. */
  readonly 'claims.recomputed': { readonly entity_id: string; readonly properties: readonly string[] };
  /** A person has become known, by whatever was recorded of them first. */
  readonly 'contact.created': ContactFacts;
  /** A person came in with an import, whether it was known or not. */
  readonly 'contact.imported': ContactFacts & { readonly import_id: string };
  /** A person got another score or another play; of leads in any list, or of nobody's. */
  readonly 'lead.scored': {
    readonly entity_id: string;
    /** 0 to 100; null when every layer is unknown. */
    readonly priority: number | null;
    readonly play: string;
    /** The rule that chose the play. */
    readonly play_rule: string;
    /** 0 to 100: how well they fit the model; null when that is unknown. */
    readonly icp_score: number | null;
    /** The model, as `<id>@<version>`; null when the workspace has none. */
    readonly icp_model: string | null;
  };
  /**
   * Somebody wants a fact looked up anew, outside of the hub: an address checked, a title enriched. What is found out is
   * recorded as an observation; nothing has to be answered.
   */
  readonly 'fact.refresh_wanted': {
    /** Names the wish; the caller has it too. */
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
  /** Somebody answered: an e-mail or a LinkedIn message came in. */
  readonly 'reply.received': InteractionFacts;
  /** Somebody accepted a connection request. */
  readonly 'connection.accepted': InteractionFacts;
  /** A meeting was scheduled, or moved to another time. */
  readonly 'meeting.scheduled': InteractionFacts;
  /** A meeting was cancelled. */
  readonly 'meeting.cancelled': InteractionFacts;
  /** A connection of a plugin has been made. */
  readonly 'connection.connected': ConnectionFacts;
  /** A connection of a plugin is gone. */
  readonly 'connection.removed': ConnectionFacts;
}

/**
 * What events tell of a person.
 * @example const { entity_id, email }: ContactFacts = event.payload;
 */
export interface ContactFacts {
  readonly entity_id: string;
  readonly email: string | null;
  readonly name: string | null;
}

/**
 * What events tell of an interaction that has landed. Each is told once, whichever door it came through; observations of
 * the method `import` or `backfill` are the past, and are not told. `hub.graph.interactions` gives the order.
 * @example const [latest] = (await hub.graph.interactions(payload.entity_id, { until: payload.observation_id })).toReversed();
 */
export interface InteractionFacts {
  readonly entity_id: string;
  readonly observation_id: string;
  /** As it was recorded, such as `interaction.email_replied`. */
  readonly property: string;
}

/**
 * What events tell of a connection.
 * @example if (event.payload.plugin === 'calcom') …
 */
export interface ConnectionFacts {
  readonly connection_id: string;
  /** Id of the plugin. */
  readonly plugin: string;
}

/**
 * Name of an event of the hub.
 * @example const wanted: EventName[] = ['contact.imported', 'note.saved'];
 */
export type EventName = keyof EventMap;

/**
 * An event as it reaches `@OnEvent`. Events of other plugins are typed by naming the shape of their payload.
 * @example async called({ payload }: PluginEvent<'acme-dialer.called', { call_id: string }>, hub: HubContext) { … }
 */
export interface PluginEvent<
  Name extends string = string,
  Payload = Name extends EventName ? EventMap[Name] : { readonly [key: string]: Json },
> {
  /** The same at every delivery. */
  readonly id: string;
  readonly type: Name;
  readonly payload: Payload;
  readonly occurredAt: Date;
}

/**
 * The payload of an event that a plugin publishes.
 * @example const payload: OwnPayload = { call_id: 'c-1', seconds: 184 };
 */
export type CustomEventPayload = JsonObject;
