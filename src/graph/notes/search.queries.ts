import type { NoteType } from '#domain/notes/note.js';
import { BM25_B, BM25_K1, NEIGHBOUR_BOOST, type QueryTerm } from '#domain/text/bm25.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { PASSAGE_TEXT_SQL, POSTING_COLUMNS } from './note-index.queries.js';

/** A matching note with its best passage. */
export interface NoteMatch {
  readonly id: string;
  readonly entity_id: string;
  readonly type: NoteType;
  readonly title: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Source that the note was saved with. */
  readonly source: string;
  readonly text: string;
  readonly score: number;
  /** The score of a passage of average length that has every term once. */
  readonly ideal: number;
}

/** Limits of a search. */
export interface SearchScope {
  /** Searches notes of these entities only; undefined for all. */
  readonly entityIds: readonly string[] | undefined;
  readonly limit: number;
}

/** Number of positions in a rank key: a position takes 16 bits. */
const PLACES_PER_MARK = 65_536;
/** Scores are compared with six decimals, so that the order of summation does not matter. */
const SCORE_SCALE = 1_000_000;

/**
 * Ranks passages by Okapi BM25 (see domain/text/bm25) with the statistics of the whole workspace. A note scores as its
 * best passage; adjacent passages boost each other. Terms are looked up by equality, so only their postings in this
 * workspace are read. `rank_key` combines score and position in one number: its maximum is the best passage, the first
 * of equal ones, without sorting.
 */
const rankedSql = `
  WITH requested AS (
    SELECT i, term, weight FROM unnest($2::text[], $3::float8[]) WITH ORDINALITY AS requested (term, weight, i)
  ), hits AS MATERIALIZED (
    SELECT requested.i, ${POSTING_COLUMNS} FROM requested CROSS JOIN LATERAL (
      SELECT postings FROM note_terms WHERE workspace_id = $1 AND term = requested.term OFFSET 0
    ) AS stored CROSS JOIN LATERAL unnest(postings) AS posting
  ), term_weights AS MATERIALIZED (
    SELECT i, weight * ln(1 + (greatest(n, df) - df + 0.5) / (df + 0.5)) AS idf_weight, ${BM25_K1 * BM25_B} / average AS slope
    FROM (SELECT i, weight, coalesce(document_counts.df, 0) AS df
          FROM requested LEFT JOIN (SELECT i, count(*)::float8 AS df FROM hits GROUP BY i) AS document_counts USING (i)) AS frequencies
    CROSS JOIN (SELECT greatest(passages, 1)::float8 AS n, greatest(tokens, 1)::float8 / greatest(passages, 1) AS average
                FROM note_statistics WHERE workspace_id = $1) AS corpus
  ), scored AS (
    SELECT number, position, sum(idf_weight * count * ${BM25_K1 + 1} / (count + ${BM25_K1 * (1 - BM25_B)} + slope * length)) AS score
    FROM hits JOIN term_weights USING (i) GROUP BY number, position
  ), boosted AS (
    SELECT number, position, score + ${NEIGHBOUR_BOOST} * (
             CASE WHEN lag(position) OVER note = position - 1 THEN lag(score) OVER note ELSE 0 END +
             CASE WHEN lead(position) OVER note = position + 1 THEN lead(score) OVER note ELSE 0 END) AS score
    FROM scored WINDOW note AS (PARTITION BY number ORDER BY position)
  ), best_passages AS (
    SELECT number, max(round(score * ${SCORE_SCALE})::bigint * ${PLACES_PER_MARK} + ${PLACES_PER_MARK - 1} - position) AS rank_key
    FROM boosted GROUP BY number
  )`;

/** Builds the search statement. @param candidates SQL that joins `best_passages` with its note as `n`. */
function foundSql(candidates: string): string {
  return `${rankedSql}, top AS (
      SELECT n.*, rank_key / ${PLACES_PER_MARK} AS score, ${PLACES_PER_MARK - 1} - rank_key % ${PLACES_PER_MARK} AS position FROM ${candidates}
      ORDER BY rank_key / ${PLACES_PER_MARK} DESC, n.date DESC, n.id LIMIT $4
    )
    SELECT top.id, coalesce(e.canonical_id, e.id) AS entity_id, top.type, top.title, top.date::text AS date,
           top.source, c.text, top.score::float8 / ${SCORE_SCALE} AS score, (SELECT sum(idf_weight) FROM term_weights) AS ideal
    FROM top
    CROSS JOIN LATERAL (
      SELECT id, canonical_id FROM entities WHERE workspace_id = $1 AND id = top.entity_id OFFSET 0) AS e
    CROSS JOIN LATERAL (
      SELECT ${PASSAGE_TEXT_SQL} AS text FROM note_chunks c JOIN notes n USING (workspace_id)
      WHERE workspace_id = $1 AND c.note_id = top.id AND c.position = top.position AND n.id = top.id OFFSET 0) AS c
    ORDER BY top.score DESC, top.date DESC, top.id`;
}

const BEST_NOTE_SQL = `SELECT id, entity_id, type, title, date, source FROM notes WHERE workspace_id = $1 AND id = (
  SELECT note_id FROM note_numbers WHERE workspace_id = $1 AND number = best_passages.number)`;

/** Reads only notes that score at least as high as the last result, to order equal scores by date. */
const SEARCH_WORKSPACE = prepare(
  foundSql(`(SELECT * FROM best_passages ORDER BY rank_key / ${PLACES_PER_MARK} DESC FETCH FIRST ($4) ROWS WITH TIES) AS best_passages
      CROSS JOIN LATERAL (${BEST_NOTE_SQL} OFFSET 0) AS n`),
);

const SEARCH_ENTITIES = prepare(
  foundSql(`best_passages CROSS JOIN LATERAL (${BEST_NOTE_SQL} AND entity_id = ANY ($5::uuid[]) OFFSET 0) AS n`),
);

/** Finds the notes with at least one of the terms, best first, then newest first. One statement. */
export function searchTerms(tx: Tx, terms: readonly QueryTerm[], scope: SearchScope): Promise<NoteMatch[]> {
  const tokens = terms.map(({ token }) => token);
  const weights = terms.map(({ weight }) => weight);
  const values = [tx.workspace, tokens, weights, scope.limit];
  return scope.entityIds ? tx.query(SEARCH_ENTITIES, [...values, scope.entityIds]) : tx.query(SEARCH_WORKSPACE, values);
}

const FIND_MISSING_TERMS = prepare(
  `SELECT requested.term FROM unnest($2::text[]) AS requested (term)
   LEFT JOIN LATERAL (
     SELECT true AS is_present FROM note_terms t WHERE t.workspace_id = $1 AND t.term = requested.term LIMIT 1
   ) AS posting ON true
   WHERE is_present IS NULL`,
);

/** Returns the terms that no note of the workspace contains. */
export async function findMissingTerms(tx: Tx, terms: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ term: string }>(FIND_MISSING_TERMS, [tx.workspace, terms]);
  return new Set(rows.map(({ term }) => term));
}

/** A word of the notes that is spelled similarly to a typed word. */
export interface SimilarWord {
  readonly typed: string;
  readonly word: string;
}

const MIN_SIMILARITY = 0.25;
const MAX_SIMILAR_WORDS = 20;

/** Finds, for each word, up to 20 words of the workspace with a trigram similarity of at least 0.25. */
export function findSimilarWords(tx: Tx, words: readonly string[]): Promise<SimilarWord[]> {
  return tx.query<SimilarWord>(
    `SELECT requested.typed, near.word FROM unnest($2::text[]) AS requested (typed)
     CROSS JOIN LATERAL (
       SELECT word FROM note_trigrams, unnest(words) AS word
       WHERE workspace_id = $1 AND trigram = ANY (show_trgm(typed))
       GROUP BY word HAVING similarity(typed, word) >= ${MIN_SIMILARITY}
       ORDER BY similarity(typed, word) DESC, word LIMIT ${MAX_SIMILAR_WORDS}
     ) AS near`,
    [tx.workspace, words],
  );
}
