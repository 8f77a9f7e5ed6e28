import type { Filter } from '#domain/filters/filter.js';
import type { JsonValue, ObservationKind } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';

/** Which observations are meant. */
export interface ObservationScope {
  readonly kind: ObservationKind | undefined;
  /** Beginning of the property, as it was asked for; undefined is any. */
  readonly property: string | undefined;
  readonly source: string | undefined;
  /** An identifier or name. */
  readonly entity: string | undefined;
  /** When things take place: the start of a meeting, for everything else the time of the observation. */
  readonly from: Instant | undefined;
  readonly to: Instant | undefined;
}

/** Further conditions on single observations. */
export interface ObservationFilter {
  readonly property: readonly string[] | undefined;
  readonly source: readonly string[] | undefined;
  readonly value: JsonValue | undefined;
  /** Stands in the details, whatever its case. */
  readonly text: string | undefined;
}

/** What observations can be grouped by. */
export const GROUPINGS = ['property', 'source', 'kind', 'entity', 'company', 'day', 'week', 'month', 'value'] as const;

/** One of {@link GROUPINGS}. */
export type Grouping = (typeof GROUPINGS)[number];

/** What can be told of a group. */
export const AGGREGATES = ['count', 'distinct_entities', 'sum', 'avg', 'min', 'max', 'first', 'last'] as const;

/** One aggregate; `field` is a path into the value (`amount`, `deal.amount`), by default the value itself. */
export interface Aggregate {
  readonly op: (typeof AGGREGATES)[number];
  readonly field: string | undefined;
}

/** How an answer is summed up. */
export const SUMMARIES = ['extractive', 'llm', 'auto'] as const;

/** A checked query. */
export interface Query {
  readonly scope: ObservationScope;
  /** Entities that have any of these are left out. */
  readonly without: ObservationScope | undefined;
  readonly entityFilter: Filter | undefined;
  readonly observationFilter: ObservationFilter | undefined;
  readonly returns: 'observations' | 'entities';
  /** Look at what is claimed, as sentences. */
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
  /** Tells this query from others when a cursor comes back. */
  readonly hash: string;
}
