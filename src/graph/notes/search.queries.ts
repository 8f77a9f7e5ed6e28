import type { NoteType } from '#domain/notes/note.js';
import { B, K1, NEIGHBOUR_LIFT, type QueryTerm } from '#domain/text/bm25.js';
import type { Tx } from '#kernel/db/transaction.js';

/** A note that was found, with the passage that matches best. */
export interface FoundNote {
  readonly id: string;
  readonly entity_id: string;
  readonly type: NoteType;
  readonly title: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly text: string;
  readonly score: number;
  /** The score of a passage of average length that has every term once. */
  readonly ideal: number;
}

/** What of the notes is searched. */
export interface SearchScope {
  /** Of these entities; undefined: of everybody. */
  readonly entityIds: readonly string[] | undefined;
  readonly limit: number;
}

/**
 * Okapi BM25 over passages (see domain/text/bm25), with the counts of the whole workspace. A note is its best passage;
 * a passage is lifted by its neighbours. Every term is looked up by equality, so only the postings of the terms are
 * read, and none of another workspace.
 */
const ranked = `
  WITH wanted AS (
    SELECT * FROM unnest($2::text[], $3::float8[]) AS wanted (term, weight)
  ), corpus AS (
    SELECT greatest(passages, 1)::float8 AS n, tokens::float8 / greatest(passages, 1) AS average
    FROM note_statistics WHERE workspace_id = $1
  ), hits AS MATERIALIZED (
    SELECT t.term, t.note_id, t.place, t.count::float8 AS count, t.length::float8 AS length
    FROM note_terms t WHERE t.workspace_id = $1 AND t.term = ANY ($2::text[])
  ), worths AS MATERIALIZED (
    SELECT term, weight * ln(1 + (greatest(n, df) - df + 0.5) / (df + 0.5)) AS worth
    FROM corpus CROSS JOIN (
      SELECT term, weight, count(hits.term)::float8 AS df FROM wanted LEFT JOIN hits USING (term) GROUP BY term, weight
    ) AS frequencies
  ), scored AS (
    SELECT note_id, place,
           sum(worth * count * ${K1 + 1} / (count + ${K1} * (${1 - B} + ${B} * length / average))) AS score
    FROM hits JOIN worths USING (term) CROSS JOIN corpus GROUP BY note_id, place
  ), lifted AS (
    SELECT note_id, place, score + ${NEIGHBOUR_LIFT} * (
             CASE WHEN lag(place) OVER note = place - 1 THEN lag(score) OVER note ELSE 0 END +
             CASE WHEN lead(place) OVER note = place + 1 THEN lead(score) OVER note ELSE 0 END) AS score
    FROM scored WINDOW note AS (PARTITION BY note_id ORDER BY place)
  ), best AS (
    SELECT DISTINCT ON (note_id) note_id, place, round(score::numeric, 6) AS score
    FROM lifted ORDER BY note_id, lifted.score DESC, place
  )`;

/** The notes that have one of the terms at least, the nearest first; of equals the newest. One statement. */
export function searchTerms(tx: Tx, terms: readonly QueryTerm[], scope: SearchScope): Promise<FoundNote[]> {
  return tx.query<FoundNote>(
    `${ranked}, top AS (
       SELECT n.id, n.entity_id, n.type, n.title, n.date, best.place, best.score
       FROM best JOIN notes n ON n.workspace_id = $1 AND n.id = best.note_id
       ${scope.entityIds ? 'WHERE n.entity_id = ANY ($5::uuid[])' : ''}
       ORDER BY best.score DESC, n.date DESC, n.id LIMIT $4
     )
     SELECT top.id, coalesce(e.canonical_id, e.id) AS entity_id, top.type, top.title, top.date::text AS date, c.text,
            top.score::float8 AS score, (SELECT sum(worth) FROM worths) AS ideal
     FROM top
     JOIN entities e ON e.workspace_id = $1 AND e.id = top.entity_id
     JOIN note_chunks c ON c.workspace_id = $1 AND c.note_id = top.id AND c.place = top.place
     ORDER BY top.score DESC, top.date DESC, top.id`,
    [
      tx.workspace,
      terms.map(({ token }) => token),
      terms.map(({ weight }) => weight),
      scope.limit,
      ...(scope.entityIds ? [scope.entityIds] : []),
    ],
  );
}

/** Those of these terms that no note of the workspace has. */
export async function missingTerms(tx: Tx, terms: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ term: string }>(
    `SELECT wanted.term FROM unnest($2::text[]) AS wanted (term)
     WHERE NOT EXISTS (SELECT FROM note_terms t WHERE t.workspace_id = $1 AND t.term = wanted.term)`,
    [tx.workspace, terms],
  );
  return new Set(rows.map(({ term }) => term));
}

/** A word that notes have and that shares letters with one that they do not have. */
export interface SimilarWord {
  readonly typed: string;
  readonly word: string;
}

const SIMILAR = 0.25;
const SIMILAR_WORDS = 20;

/** For each word those of the workspace that share most trigrams with it: twenty at most, by a similarity of 0.25. */
export function similarWords(tx: Tx, words: readonly string[]): Promise<SimilarWord[]> {
  return tx.query<SimilarWord>(
    `SELECT wanted.typed, near.word FROM unnest($2::text[]) AS wanted (typed)
     CROSS JOIN LATERAL (
       SELECT word FROM note_trigrams
       WHERE workspace_id = $1 AND trigram = ANY (show_trgm(typed))
       GROUP BY word HAVING similarity(typed, word) >= ${SIMILAR}
       ORDER BY similarity(typed, word) DESC, word LIMIT ${SIMILAR_WORDS}
     ) AS near`,
    [tx.workspace, words],
  );
}
