import type { LimitStatement } from './limit-statement.ts';
import { questionText } from './notes-talk.ts';
import { vectorOf } from './notes-vectors.ts';

/** A search over the copied passages of one workspace. */
export type NotesLimit =
  /** Full text by a GIN index alone: the eight passages that rank best. */
  | { readonly name: 'passages-by-words'; readonly workspace: string }
  /** Fifty by words, fifty by vectors compared one by one, fused by their ranks: the best eight. */
  | { readonly name: 'passages-hybrid'; readonly workspace: string };

const byWords = `
  SELECT p.id, ts_rank(p.words, wanted) AS score
  FROM (SELECT replace(plainto_tsquery('english', $2)::text, '&', '|')::tsquery AS wanted) AS question
  JOIN bench_passages p ON p.workspace_id = $1 AND p.words @@ wanted
  ORDER BY score DESC`;

const lexical = `SELECT p.id, p.note_id, p.text, hit.score FROM (${byWords} LIMIT 8) AS hit JOIN bench_passages p USING (id)
  ORDER BY hit.score DESC`;

const hybrid = `
  WITH words AS (SELECT id, row_number() OVER (ORDER BY score DESC) AS rank FROM (${byWords} LIMIT 50) AS found),
  near AS (
    SELECT id, row_number() OVER () AS rank FROM (
      SELECT id FROM bench_passages WHERE workspace_id = $1 ORDER BY embedding <=> $3::vector LIMIT 50) AS found
  )
  SELECT p.id, p.note_id, p.text, fused.score FROM (
    SELECT id, sum(1.0 / (60 + rank)) AS score FROM (SELECT * FROM words UNION ALL SELECT * FROM near) AS ranked
    GROUP BY id ORDER BY score DESC LIMIT 8) AS fused
  JOIN bench_passages p USING (id) ORDER BY fused.score DESC`;

let asked = 0;

/** The statement of a limit, with the questions of the benchmark in turn. */
export function notesStatement({ name, workspace }: NotesLimit): LimitStatement {
  if (name === 'passages-by-words') return { text: lexical, values: () => [workspace, questionText(asked++)] };
  const vectors = new Map<string, string>();
  return {
    text: hybrid,
    values: () => {
      const question = questionText(asked++);
      if (!vectors.has(question)) vectors.set(question, JSON.stringify(vectorOf(question)));
      return [workspace, question, vectors.get(question)];
    },
  };
}
