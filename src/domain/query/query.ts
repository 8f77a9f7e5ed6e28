import type { Filter } from '#domain/filters/filter.js';
import type { JsonValue, ObservationKind } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';

/** Selects observations. */
export interface ObservationScope {
  readonly kind: ObservationKind | undefined;
  /** Prefix of the property as requested; undefined matches all. */
  readonly property: string | undefined;
  readonly source: string | undefined;
  /** An identifier or name. */
  readonly entity: string | undefined;
  /** Time of the event itself: the start of a meeting, else the time of the observation. */
  readonly from: Instant | undefined;
  readonly to: Instant | undefined;
}

/** Further conditions on single observations. */
export interface ObservationFilter {
  readonly property: readonly string[] | undefined;
  readonly source: readonly string[] | undefined;
  readonly value: JsonValue | undefined;
  /** Text within the details, ignoring case. */
  readonly text: string | undefined;
}

/** Keys by which observations can be grouped. */
export const GROUPINGS = ['property', 'source', 'kind', 'entity', 'company', 'day', 'week', 'month', 'value'] as const;

/** One of {@link GROUPINGS}. */
export type Grouping = (typeof GROUPINGS)[number];

/** Aggregates of a group. */
export const AGGREGATES = ['count', 'distinct_entities', 'sum', 'avg', 'min', 'max', 'first', 'last'] as const;

/** One aggregate; `field` is a path into the value (`amount`, `deal.amount`). Default: the value itself. */
export interface Aggregate {
  readonly op: (typeof AGGREGATES)[number];
  readonly field: string | undefined;
}

/** Methods of summarizing a result. */
export const SUMMARIES = ['extractive', 'llm', 'auto'] as const;

/** A validated query. */
export interface Query {
  readonly scope: ObservationScope;
  /** Excludes entities with any of these observations. */
  readonly without: ObservationScope | undefined;
  readonly entityFilter: Filter | undefined;
  readonly observationFilter: ObservationFilter | undefined;
  readonly returns: 'observations' | 'entities';
  /** Searches claims, as sentences, instead of observations. */
  readonly facts: boolean;
  readonly question: string | undefined;
  readonly newestFirst: boolean;
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly groupBy: readonly Grouping[];
  readonly aggregate: readonly Aggregate[];
  readonly summarize: (typeof SUMMARIES)[number] | false;
  readonly asOf: Instant | undefined;
  readonly knownAt: Instant | undefined;
  /** Identifies the query when a cursor is used. */
  readonly hash: string;
}
