import { computeLexicalSimilarity } from '../notes/similarity.js';
import { bm25, idf, type QueryTerm } from '../text/bm25.js';
import { mmr } from '../text/mmr.js';
import { buildQueryTerms } from '../text/query-terms.js';

/** A row with its similarity to the question, 0..1. */
export interface RankedRow<Row> {
  readonly row: Row;
  readonly similarity: number;
}

/** Number of relevant rows that evidence is chosen from. */
const MAX_EVIDENCE_CANDIDATES = 100;

/** A row with its search tokens, as `expandTokens` returns them. */
export interface TokenizedRow {
  readonly tokens: readonly string[];
}

/** Returns the rows that share a term with the question, most similar first; ties keep their order. */
export function rankRows<Row extends TokenizedRow>(question: string, rows: readonly Row[]): RankedRow<Row>[] {
  const terms = buildQueryTerms(question);
  const documents = rows.map(({ tokens }) => tokens);
  const frequencies = countDocuments(documents);
  const ideal = terms.reduce(
    (sum, { token, weight }) => sum + weight * idf(rows.length, frequencies.get(token) ?? 0),
    0,
  );
  return bm25(expandRelated(terms), documents)
    .map((score, i) => ({ row: rows[i]!, similarity: computeLexicalSimilarity(score, ideal) }))
    .filter(({ similarity }) => similarity > 0)
    .sort((one, other) => other.similarity - one.similarity);
}

/** Returns up to `count` rows that are relevant to a question (without one, the first) and differ from each other. */
export function selectEvidence<Row extends TokenizedRow>(
  question: string | undefined,
  rows: readonly Row[],
  count: number,
): Row[] {
  const found = question === undefined ? [] : rankRows(question, rows);
  const all = found.length > 0 ? found : rows.map(row => ({ row, similarity: 1 }));
  const candidates = all.slice(0, MAX_EVIDENCE_CANDIDATES);
  const scored = candidates.map(({ row: { tokens }, similarity }) => ({ score: similarity, tokens }));
  return mmr(scored, count).map(place => candidates[place]!.row);
}

/** Returns the number of documents that contain each token. */
function countDocuments(documents: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const tokens of documents) {
    for (const token of new Set(tokens)) counts.set(token, (counts.get(token) ?? 0) + 1);
  }
  return counts;
}

/** Weight of a related concept; a typed word has 1. */
export const RELATED_WEIGHT = 0.2;

/** Concepts that are not the same but occur in the same context: an objection to a price says "expensive". */
const relatedConcepts: readonly (readonly string[])[] = [['price', 'expensive', 'cheap', 'discount', 'price-increase']];

const neighbours: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  relatedConcepts.flatMap(group => group.map(concept => [`~${concept}`, new Set(group.map(other => `~${other}`))])),
);

/** Adds the related concepts of a question's terms, with {@link RELATED_WEIGHT}. */
export function expandRelated(terms: readonly QueryTerm[]): QueryTerm[] {
  const questionTokens = new Set(terms.map(({ token }) => token));
  const related = new Set(terms.flatMap(({ token }) => [...(neighbours.get(token) ?? [])]));
  return [...terms, ...[...related.difference(questionTokens)].map(token => ({ token, weight: RELATED_WEIGHT }))];
}
