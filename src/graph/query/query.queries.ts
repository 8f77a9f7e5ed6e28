import type { JsonValue, ObservationKind } from '#domain/observation/observation.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { SqlParams, bindWorkspace } from '../lists/sql-params.js';
import { EVENT_TIME, type QueryPageKey, type Corpus, corpusRowsSql } from './corpus-sql.js';

/** An observation with its entity. */
export interface LogRow {
  readonly id: string;
  /** Canonical ID. */
  readonly entity_id: string;
  readonly entity_name: string | null;
  readonly kind: ObservationKind;
  readonly property: string;
  readonly value: JsonValue;
  readonly source: string;
  readonly happens_at: Instant;
}

/** An entity with its number of matching observations and the newest of them. */
export interface QueryEntityRow {
  readonly entity_id: string;
  readonly entity_name: string | null;
  readonly matches: number;
  readonly id: string;
  readonly property: string;
  readonly value: JsonValue;
  readonly source: string;
  readonly happens_at: Instant;
}

/** Maximum number of observations that are counted and grouped; the first ones in the order of the query. */
export const MAX_CORPUS = 2000;

/** Maximum number of property names that are looked up per prefix. */
const MAX_NAMES = 2000;

/** Joins the canonical IDs of merged entities, which are few. */
const CANONICAL_JOIN = `LEFT JOIN (SELECT id, canonical_id FROM entities WHERE workspace_id = $1 AND canonical_id IS NOT NULL)
  AS merged ON merged.id = found.entity_id`;
const CANONICAL_ID = 'CASE WHEN merged.canonical_id IS NULL THEN found.entity_id ELSE merged.canonical_id END';

const LEAN_COLUMNS = 'o.id, o.entity_id, o.kind, o.property, o.source, o.happens_at';
const ALL_COLUMNS = `${LEAN_COLUMNS}, o.value`;

const nextNameSql = (than: string, sign: string) => `
    (SELECT o.property FROM observations o
     WHERE o.workspace_id = $1 AND o.${EVENT_TIME} AND o.property COLLATE "C" ${sign} ${than} COLLATE "C"
       AND o.property COLLATE "C" < (requested.prefix || U&'\\+10FFFF') COLLATE "C"
     ORDER BY o.property COLLATE "C" LIMIT 1)`;

const READ_NAMES = prepare(
  `SELECT DISTINCT names.property FROM unnest($2::text[]) AS requested (prefix) CROSS JOIN LATERAL (
       WITH RECURSIVE name AS (
         SELECT ${nextNameSql('requested.prefix', '>=')} AS property
         UNION ALL
         SELECT ${nextNameSql('name.property', '>')} FROM name WHERE name.property IS NOT NULL
       ) SELECT property FROM name WHERE property IS NOT NULL LIMIT ${MAX_NAMES}
     ) AS names`,
);

/**
 * Reads the property names of the workspace's log that start with one of these prefixes, in byte order. Skips through the
 * index from name to name, so the cost depends on the number of names, not on the length of the log.
 */
export async function readPropertyNames(tx: Tx, prefixes: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ property: string }>(READ_NAMES, [tx.workspace, prefixes]);
  return rows.map(({ property }) => property).toSorted();
}

/** Reads a page of observations in the order of the query. */
export function readLogRows(tx: Tx, corpus: Corpus, limit: number, after?: QueryPageKey): Promise<LogRow[]> {
  if (corpus.scope.properties.length === 0) return Promise.resolve([]);
  const params = bindWorkspace(tx);
  const sql = corpusRowsSql(corpus, ALL_COLUMNS, limit, params, after);
  const order = corpus.query.newestFirst ? 'DESC' : 'ASC';
  return tx.query<LogRow>(
    corpus.statements.get(`SELECT found.id, found.kind, found.property, found.value, found.source, found.happens_at,
            ${CANONICAL_ID} AS entity_id, e.name AS entity_name
     FROM (${sql}) AS found ${CANONICAL_JOIN}
     JOIN entities e ON e.workspace_id = $1 AND e.id = ${CANONICAL_ID}
     ORDER BY found.happens_at ${order}, found.id ${order}`),
    params.values,
  );
}

/** Reads a page of entities of the corpus with match count and newest observation, newest first. */
export function readQueryEntities(
  tx: Tx,
  corpus: Corpus,
  limit: number,
  after?: QueryPageKey,
): Promise<QueryEntityRow[]> {
  if (corpus.scope.properties.length === 0) return Promise.resolve([]);
  const params = bindWorkspace(tx);
  const corpusSql = withCorpusSql(corpus, params);
  const pageCondition = after
    ? `WHERE (happens_at, entity_id) < (${params.add(toIso(after.at), 'timestamptz')}, ${params.add(after.id, 'uuid')})`
    : '';
  return tx.query<QueryEntityRow>(
    `${corpusSql}, newest AS (
       SELECT DISTINCT ON (entity_id) entity_id, id, property, source, happens_at,
              count(*) OVER (PARTITION BY entity_id)::int AS matches
       FROM corpus ORDER BY entity_id, happens_at DESC, id DESC
     ), page AS (
       SELECT * FROM newest ${pageCondition} ORDER BY happens_at DESC, entity_id DESC LIMIT ${params.add(limit, 'int')}
     )
     SELECT page.*, e.name AS entity_name, o.value FROM page
     JOIN entities e ON e.workspace_id = $1 AND e.id = page.entity_id
     JOIN observations o ON o.workspace_id = $1 AND o.id = page.id
     ORDER BY page.happens_at DESC, page.entity_id DESC`,
    params.values,
  );
}

/** Returns SQL `WITH corpus AS …` that selects at most {@link MAX_CORPUS} observations with their canonical entities. */
export function withCorpusSql(corpus: Corpus, params: SqlParams, withValues = false): string {
  const sql = corpusRowsSql(corpus, withValues ? ALL_COLUMNS : LEAN_COLUMNS, MAX_CORPUS, params);
  return `WITH corpus AS MATERIALIZED (
    SELECT found.id, found.kind, found.property, found.source, found.happens_at,
           ${CANONICAL_ID} AS entity_id ${withValues ? ', found.value' : ''}
    FROM (${sql}) AS found ${CANONICAL_JOIN})`;
}
