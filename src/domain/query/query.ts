import type { Filter } from '../filters/filter.js';
import type { Instant } from '../time/instant.js';
import { type JsonValue, type ObservationKind, EVENT_PREFIX } from '../observation/observation.js';
import { canonicalEvent, canonicalProperty, listEventNames } from '../properties/registry.js';
import { toPlainText } from '../observation/summary.js';

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

/** Properties of a scope, as the log may contain them. */
export interface ScopePropertyNames {
  /** Property prefixes; an empty prefix matches all. */
  readonly prefixes: readonly string[];
  /** Alias to use in the response by canonical name, if the request used an alias. */
  readonly requestedNames: ReadonlyMap<string, string>;
}

/**
 * Resolves the property of a scope: a prefix stays as it is, an event gets all its names, an alias its canonical name.
 * `email_replied` with the kind `event` is `interaction.email_replied`.
 */
export function resolvePropertyNames(
  property: string | undefined,
  kind: ObservationKind | undefined,
): ScopePropertyNames {
  if (property === undefined || property === '') {
    return { prefixes: [kind === 'event' ? EVENT_PREFIX : ''], requestedNames: new Map() };
  }
  const named = kind === 'event' && !property.startsWith('interaction') ? EVENT_PREFIX + property : property;
  if (named.startsWith(EVENT_PREFIX)) {
    return { prefixes: [...new Set([named, ...listEventNames(canonicalEvent(named))])], requestedNames: new Map() };
  }
  const canonical = canonicalProperty(named);
  return canonical === named
    ? { prefixes: [named], requestedNames: new Map() }
    : { prefixes: [named, canonical], requestedNames: new Map([[canonical, named]]) };
}

/** Returns whether a property is of a kind. */
export function isOfKind(property: string, kind: ObservationKind | undefined): boolean {
  return kind === undefined || property.startsWith(EVENT_PREFIX) === (kind === 'event');
}

/** Formats the value of a property on one line. A score is formatted as play and priority: `work now, 72`. */
export function formatDisplayValue(property: string, value: JsonValue, longest?: number): string {
  return toPlainText(property === 'lead_score' ? describeScore(value) : value, longest);
}

/** Values that are not in the format of a score are returned unchanged. */
function describeScore(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const { play, priority } = value;
  if (typeof play !== 'string') return value;
  return typeof priority === 'number' ? `${play}, ${priority}` : `${play}, not ranked yet`;
}
