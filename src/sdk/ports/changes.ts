import type { Json } from '../schema.js';

/**
 * Selects changes. What is not given is not limited.
 * @example { after: await hub.store.get('cursor'), properties: ['title', 'stage'], notFrom: ['acme-crm'], limit: 500 }
 */
export interface ChangesOptions {
  /** `next` of an earlier page. `latest`: no changes, but the cursor after all that there are. Default: the beginning. */
  readonly after?: string;
  readonly kinds?: readonly Change['kind'][];
  readonly types?: readonly ('person' | 'company')[];
  /** Properties of claims and names of events. Merges and erasures are listed all the same. */
  readonly properties?: readonly string[];
  /**
   * Leaves out what these sources stated, and claims that they state already: what a sync wrote itself. `crm` stands for
   * every source that begins with `crm:`.
   */
  readonly notFrom?: readonly string[];
  /** 1 to 1000. Default: 100. */
  readonly limit?: number;
}

/**
 * A page of changes in the order in which they were committed.
 * @example for (const change of page.changes) if (change.kind === 'claim') await push(change);
 */
export interface ChangesPage {
  /** Can be fewer than `limit`, or none, although more follow. */
  readonly changes: readonly Change[];
  /** The value of `after` for the next page, also if there are no more changes yet. It does not expire. */
  readonly next: string;
  readonly has_more: boolean;
}

/**
 * A change of the graph.
 * @example if (change.kind === 'erasure') await forget(change.erased_ids);
 */
export type Change = ClaimChange | EventChange | RetractionChange | MergeChange | ErasureChange;

/**
 * What every change has.
 * @example change.external_ids.find(({ system }) => system === 'acme-crm')?.id
 */
export interface ChangedEntity {
  /** The entity as it is known now: one that was merged away has the ID of the other one. */
  readonly entity_id: string;
  readonly type: 'person' | 'company';
  /** IDs in other systems, the oldest first. */
  readonly external_ids: readonly { readonly system: string; readonly id: string }[];
  /** Time of the change, ISO 8601. */
  readonly at: string;
}

/**
 * Something was stated about a property: its claim as it is now, once on a page, also if the value is the same.
 * @example if (change.freshness === 'fresh' && change.confidence > 0.7) fields[change.property] = change.value;
 */
export interface ClaimChange extends ChangedEntity {
  readonly kind: 'claim';
  readonly property: string;
  /** Null if the fact has ended. */
  readonly value: Json;
  /** 0 to 1. */
  readonly confidence: number;
  readonly freshness: string;
  readonly epistemic_class: string;
  /** Source with the strongest support. */
  readonly source: string | null;
  readonly method: string | null;
  /** Time of the newest support, ISO 8601. */
  readonly observed_at: string;
}

/**
 * Something happened.
 * @example change.property === 'interaction.meeting_held'
 */
export interface EventChange extends ChangedEntity {
  readonly kind: 'event';
  readonly observation_id: string;
  readonly property: string;
  readonly value: Json;
  readonly source: string;
  readonly method: string;
  /** ISO 8601. */
  readonly observed_at: string;
  readonly external_id: string | null;
}

/**
 * Something that was stated was withdrawn, for example with a wrong import. The claim of the property may have changed or
 * be gone, and the entity too, if nothing else was known about it.
 * @example await hub.graph.find(change.entity_id)
 */
export interface RetractionChange extends ChangedEntity {
  readonly kind: 'retraction';
  readonly observation_id: string;
  readonly property: string;
  readonly source: string;
}

/**
 * Two entities were merged into `entity_id`, or are two again. Their claims may have changed.
 * @example await hub.graph.find(change.entity_id)
 */
export interface MergeChange extends ChangedEntity {
  readonly kind: 'merge' | 'unmerge';
  readonly other_entity_id: string;
  readonly source: string;
}

/**
 * A person was erased: delete what you stored about them.
 * @example for (const id of change.erased_ids) await hub.store.delete(`contact:${id}`);
 */
export interface ErasureChange extends ChangedEntity {
  readonly kind: 'erasure';
  /** All IDs that the person had. */
  readonly erased_ids: readonly string[];
}
