import type { Json, ObservationKind } from '#domain/observation/observation.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { statement } from '#kernel/db/statement.js';
import type { Tx } from '#kernel/db/transaction.js';
import { keptShape } from '../lists/kept-shapes.js';
import { Params } from '../lists/params.js';
import { HAPPENS, type QueryPlace, type Stream, streamSql } from './stream-sql.js';

/** One observation of the log with whose it is. */
export interface LogRow {
  readonly id: string;
  /** Canonical. */
  readonly entity_id: string;
  readonly entity_name: string | null;
  readonly kind: ObservationKind;
  readonly property: string;
  readonly value: Json;
  readonly source: string;
  readonly happens_at: Instant;
}

/** What entities have of a scope. */
export interface EntityRow {
  readonly entity_id: string;
  readonly entity_name: string | null;
  readonly matches: number;
  readonly id: string;
  readonly property: string;
  readonly value: Json;
  readonly source: string;
  readonly happens_at: Instant;
}

/** Observations that are counted, grouped and ranked at most: the first ones of the order. */
export const CORPUS = 2000;

/** Properties whose names are looked up at most. */
const MOST_NAMES = 2000;

/** Who was merged into whom: few, and all the others are themselves. */
const CANONICAL = `LEFT JOIN (SELECT id, canonical_id FROM entities WHERE workspace_id = $1 AND canonical_id IS NOT NULL)
  AS merged ON merged.id = found.entity_id`;
const OWNER = 'CASE WHEN merged.canonical_id IS NULL THEN found.entity_id ELSE merged.canonical_id END';

const LEAN = 'o.id, o.entity_id, o.kind, o.property, o.source, o.happens_at';
const WHOLE = `${LEAN}, o.value`;

const next = (than: string, sign: string) => `
    (SELECT o.property FROM observations o
     WHERE o.workspace_id = $1 AND o.${HAPPENS} AND o.property COLLATE "C" ${sign} ${than} COLLATE "C"
       AND o.property COLLATE "C" < (requested.prefix || U&'\\+10FFFF') COLLATE "C"
     ORDER BY o.property COLLATE "C" LIMIT 1)`;

const NAMES = statement(
  `SELECT DISTINCT names.property FROM unnest($2::text[]) AS requested (prefix) CROSS JOIN LATERAL (
       WITH RECURSIVE name AS (
         SELECT ${next('requested.prefix', '>=')} AS property
         UNION ALL
         SELECT ${next('name.property', '>')} FROM name WHERE name.property IS NOT NULL
       ) SELECT property FROM name WHERE property IS NOT NULL LIMIT ${MOST_NAMES}
     ) AS names`,
);

/**
 * The properties of the workspace's log that begin with one of these texts, in byte order. The index is asked for the
 * next name each time, so it costs what there are names, however long the log is.
 */
export async function readNames(tx: Tx, prefixes: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ property: string }>(NAMES, [tx.workspace, prefixes]);
  return rows.map(({ property }) => property).toSorted();
}

/** A page of observations in the order of the query. */
export function readObservations(tx: Tx, stream: Stream, limit: number, after?: QueryPlace): Promise<LogRow[]> {
  if (stream.scope.properties.length === 0) return Promise.resolve([]);
  const params = withWorkspace(tx);
  const sql = streamSql(stream, WHOLE, limit, params, after);
  const order = stream.query.newestFirst ? 'DESC' : 'ASC';
  return tx.query<LogRow>(
    keptShape(`SELECT found.id, found.kind, found.property, found.value, found.source, found.happens_at,
            ${OWNER} AS entity_id, e.name AS entity_name
     FROM (${sql}) AS found ${CANONICAL}
     JOIN entities e ON e.workspace_id = $1 AND e.id = ${OWNER}
     ORDER BY found.happens_at ${order}, found.id ${order}`),
    params.values,
  );
}

/** A page of entities: how often they are in the corpus, and their newest observation there. The newest ones first. */
export function readEntities(tx: Tx, stream: Stream, limit: number, after?: QueryPlace): Promise<EntityRow[]> {
  if (stream.scope.properties.length === 0) return Promise.resolve([]);
  const params = withWorkspace(tx);
  const corpus = corpusSql(stream, params);
  const behind = after
    ? `WHERE (happens_at, entity_id) < (${params.add(toIso(after.at), 'timestamptz')}, ${params.add(after.id, 'uuid')})`
    : '';
  return tx.query<EntityRow>(
    `${corpus}, newest AS (
       SELECT DISTINCT ON (entity_id) entity_id, id, property, source, happens_at,
              count(*) OVER (PARTITION BY entity_id)::int AS matches
       FROM corpus ORDER BY entity_id, happens_at DESC, id DESC
     ), page AS (
       SELECT * FROM newest ${behind} ORDER BY happens_at DESC, entity_id DESC LIMIT ${params.add(limit, 'int')}
     )
     SELECT page.*, e.name AS entity_name, o.value FROM page
     JOIN entities e ON e.workspace_id = $1 AND e.id = page.entity_id
     JOIN observations o ON o.workspace_id = $1 AND o.id = page.id
     ORDER BY page.happens_at DESC, page.entity_id DESC`,
    params.values,
  );
}

/** `WITH corpus AS …`: what is counted, each row with its canonical entity. */
export function corpusSql(stream: Stream, params: Params, withValues = false): string {
  const sql = streamSql(stream, withValues ? WHOLE : LEAN, CORPUS, params);
  return `WITH corpus AS MATERIALIZED (
    SELECT found.id, found.kind, found.property, found.source, found.happens_at,
           ${OWNER} AS entity_id ${withValues ? ', found.value' : ''}
    FROM (${sql}) AS found ${CANONICAL})`;
}

/** Parameters of a statement, the workspace first. */
export function withWorkspace(tx: Tx): Params {
  const params = new Params();
  params.add(tx.workspace, 'uuid');
  return params;
}
