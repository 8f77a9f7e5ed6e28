import { estimateTokens } from '#domain/context/estimate.js';
import { typeOf } from '#domain/observation/direction.js';
import type { Json } from '#domain/observation/observation.js';
import { summaryOf } from '#domain/observation/summary.js';
import type { Query } from '#domain/query/query.js';
import { said } from '#domain/query/said.js';
import type { Bullet, PeriodChange } from '#domain/query/summarize.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { EntityRow, LogRow } from './query.queries.js';
import type { Group, Rollups } from './rollups.queries.js';

/** An item of an answer: an observation, an entity, or a fact. */
export type QueryItem = Readonly<Record<string, Json | undefined>>;

/** What was found, in short. */
export interface QuerySummary {
  readonly method: 'extractive' | 'llm';
  readonly text: string;
  readonly bullets: readonly Bullet[];
  readonly period_change: readonly PeriodChange[] | null;
  /** Why there is none by a model. */
  readonly llm_error?: string;
}

/** The answer of a query. */
export interface QueryAnswer {
  readonly scope: QueryItem;
  readonly without?: QueryItem;
  readonly mode: 'structured' | 'lexical';
  readonly return: Query['returns'];
  readonly corpus?: 'facts';
  /** Observations, or entities, that there are; `sampled` when there may be more. */
  readonly matched: number;
  readonly returned: number;
  readonly sampled: boolean;
  readonly items: readonly QueryItem[];
  readonly rollups: Pick<Rollups, 'by_type' | 'by_source' | 'by_value'>;
  readonly groups?: readonly Group[];
  readonly totals: { readonly observations: number; readonly entities: number };
  readonly summary?: QuerySummary;
  readonly question?: string;
  readonly limit: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly meta: {
    readonly token_estimate: number;
    /** Observations that a question, or `facts`, was asked of. */
    readonly looked_at?: number;
    readonly as_of: string;
    readonly known_at: string;
  };
}

/** An observation as an item. @param asked what canonical properties were called by the caller. */
export function showRow(row: LogRow, asked: ReadonlyMap<string, string>, similarity?: number): QueryItem {
  return {
    observation_id: row.id,
    entity_id: row.entity_id,
    entity_name: row.entity_name,
    when: toIso(row.happens_at),
    kind: row.kind,
    type: typeOf(asked.get(row.property) ?? row.property),
    property: asked.get(row.property) ?? row.property,
    value: row.value,
    source: row.source,
    summary: summaryOf(row.value),
    ...(similarity !== undefined && { similarity }),
  };
}

/** An entity as an item. */
export function showEntityRow(row: EntityRow, asked: ReadonlyMap<string, string>): QueryItem {
  const property = asked.get(row.property) ?? row.property;
  return {
    entity_id: row.entity_id,
    entity_name: row.entity_name,
    matches: row.matches,
    most_recent_at: toIso(row.happens_at),
    most_recent_type: typeOf(property),
    most_recent_source: row.source,
    most_recent_summary: summaryOf(row.value),
    most_recent_value: row.value,
  };
}

/** What is claimed, as a sentence. */
export function showFact(row: LogRow, asked: ReadonlyMap<string, string>, similarity?: number): QueryItem {
  return {
    entity_id: row.entity_id,
    entity_name: row.entity_name,
    category: asked.get(row.property) ?? row.property,
    content: sentenceOf(row),
    source: row.source,
    date: toIso(row.happens_at),
    ...(similarity !== undefined && { similarity }),
  };
}

/** What a row is searched by. */
export function wordsOf(row: LogRow): string {
  return `${row.entity_name ?? ''} ${typeOf(row.property).replaceAll(/[._]/g, ' ')} ${said(row.property, row.value)}`;
}

/** A claim as a sentence: `title of Ada: VP Sales`. */
function sentenceOf({ property, value, entity_name }: LogRow): string {
  return `${property}${entity_name === null ? '' : ` of ${entity_name}`}: ${said(property, value)}`;
}

/** What the answer says of itself. */
export function metaOf(
  items: readonly QueryItem[],
  { asOf, knownAt }: { readonly asOf: Instant; readonly knownAt: Instant },
  lookedAt: number | undefined,
): QueryAnswer['meta'] {
  return {
    token_estimate: estimateTokens(JSON.stringify(items)),
    ...(lookedAt !== undefined && { looked_at: lookedAt }),
    as_of: toIso(asOf),
    known_at: toIso(knownAt),
  };
}

/** A scope as it was understood. */
export function showScope({ kind, property, source, entity, from, to }: Query['scope']): QueryItem {
  const given = {
    kind,
    property,
    source,
    entity_id: entity,
    from: from === undefined ? undefined : toIso(from),
    to: to === undefined ? undefined : toIso(to),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as QueryItem;
}
