import { estimateTokens } from '#domain/context/compose-context.js';
import { stripEventPrefix } from '#domain/observation/interaction-events.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { summarizeValue } from '#domain/observation/summary.js';
import { type Query, formatDisplayValue } from '#domain/query/query.js';
import type { SummaryBullet, PeriodChange } from '#domain/query/summarize.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { QueryEntityRow, LogRow, ResultGroup, Rollups } from './query.queries.js';

/** An item of the response: an observation, an entity, or a fact. */
export type QueryItem = Readonly<Record<string, JsonValue | undefined>>;

/** Summary of the results. */
export interface QuerySummary {
  readonly method: 'extractive' | 'llm';
  readonly text: string;
  readonly bullets: readonly SummaryBullet[];
  readonly period_change: readonly PeriodChange[] | null;
  /** Why the language model was not used. */
  readonly llm_error?: string;
}

/** Response of a query. */
export interface QueryResponse {
  readonly scope: QueryItem;
  readonly without?: QueryItem;
  readonly mode: 'structured' | 'lexical';
  readonly return: Query['returns'];
  readonly corpus?: 'facts';
  /** Number of matching observations or entities; a lower bound if `sampled`. */
  readonly matched: number;
  readonly returned: number;
  readonly sampled: boolean;
  readonly items: readonly QueryItem[];
  readonly rollups: Pick<Rollups, 'by_type' | 'by_source' | 'by_value'>;
  readonly groups?: readonly ResultGroup[];
  readonly totals: { readonly observations: number; readonly entities: number };
  readonly summary?: QuerySummary;
  readonly question?: string;
  readonly limit: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly meta: {
    readonly token_estimate: number;
    /** Number of observations that a question, or `facts`, was evaluated on. */
    readonly looked_at?: number;
    readonly as_of: string;
    readonly known_at: string;
  };
}

/** Converts an observation to an item. @param requestedNames the caller's names by canonical property. */
export function presentObservationItem(
  row: LogRow,
  requestedNames: ReadonlyMap<string, string>,
  similarity?: number,
): QueryItem {
  return {
    observation_id: row.id,
    entity_id: row.entity_id,
    entity_name: row.entity_name,
    when: toIso(row.happens_at),
    kind: row.kind,
    type: stripEventPrefix(requestedNames.get(row.property) ?? row.property),
    property: requestedNames.get(row.property) ?? row.property,
    value: row.value,
    source: row.source,
    summary: summarizeValue(row.value),
    ...(similarity !== undefined && { similarity }),
  };
}

/** Converts an entity to an item. */
export function presentEntityItem(row: QueryEntityRow, requestedNames: ReadonlyMap<string, string>): QueryItem {
  const property = requestedNames.get(row.property) ?? row.property;
  return {
    entity_id: row.entity_id,
    entity_name: row.entity_name,
    matches: row.matches,
    most_recent_at: toIso(row.happens_at),
    most_recent_type: stripEventPrefix(property),
    most_recent_source: row.source,
    most_recent_summary: summarizeValue(row.value),
    most_recent_value: row.value,
  };
}

/** Converts a state to an item with the fact as a sentence. */
export function presentFactItem(
  row: LogRow,
  requestedNames: ReadonlyMap<string, string>,
  similarity?: number,
): QueryItem {
  return {
    entity_id: row.entity_id,
    entity_name: row.entity_name,
    category: requestedNames.get(row.property) ?? row.property,
    content: formatFact(row),
    source: row.source,
    date: toIso(row.happens_at),
    ...(similarity !== undefined && { similarity }),
  };
}

/** Returns the text by which a row is ranked for a question. */
export function toSearchText(row: LogRow): string {
  return `${row.entity_name ?? ''} ${stripEventPrefix(row.property).replaceAll(/[._]/g, ' ')} ${formatDisplayValue(row.property, row.value)}`;
}

/** Words a fact as a sentence: `title of Ada: VP Sales`. */
function formatFact({ property, value, entity_name }: LogRow): string {
  return `${property}${entity_name === null ? '' : ` of ${entity_name}`}: ${formatDisplayValue(property, value)}`;
}

/** Builds the metadata of a response. @param lookedAt number of ranked observations; undefined if nothing was ranked. */
export function buildMeta(
  items: readonly QueryItem[],
  { asOf, knownAt }: { readonly asOf: Instant; readonly knownAt: Instant },
  lookedAt: number | undefined,
): QueryResponse['meta'] {
  return {
    token_estimate: estimateTokens(JSON.stringify(items)),
    ...(lookedAt !== undefined && { looked_at: lookedAt }),
    as_of: toIso(asOf),
    known_at: toIso(knownAt),
  };
}

/** Converts a parsed scope to its response shape. */
export function presentScope({ kind, property, source, entity, from, to }: Query['scope']): QueryItem {
  const fields = {
    kind,
    property,
    source,
    entity_id: entity,
    from: from === undefined ? undefined : toIso(from),
    to: to === undefined ? undefined : toIso(to),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as QueryItem;
}
