import { until } from './process.ts';
import { ask } from './postgres.ts';
import type { BenchEnvironment } from './bench-environment.ts';
import { PARAGRAPHS } from '../load/notes-load.ts';

const CONNECTIONS = 8;
const VECTORS_LIMIT_MS = 120_000;

/** Has the hub keep notes of so many passages in all, and copies these into a bare table with the indexes of the limits. */
export async function seedNotes(stage: BenchEnvironment, passages: number, vectors: boolean): Promise<void> {
  const calls = passages / PARAGRAPHS;
  const { failed } = await stage.onHub('setup', CONNECTIONS, { calls }, { name: 'note', kind: 'long' });
  if (failed > 0) throw new Error(`${failed} notes could not be saved`);
  await stage.settled();
  if (vectors) await until('every passage has its vector', () => haveVectors(stage, passages), VECTORS_LIMIT_MS, 100);
  await ask(
    stage.databaseUrl,
    `CREATE TABLE bench_passages AS
     SELECT c.workspace_id, gen_random_uuid() AS id, c.note_id, c.position, substr(n.content, c.start + 1, c.length) AS text,
            to_tsvector('english', substr(n.content, c.start + 1, c.length)) AS words
            ${vectors ? ', v.embedding' : ''}
     FROM note_chunks c JOIN notes n ON n.workspace_id = c.workspace_id AND n.id = c.note_id
     ${vectors ? 'JOIN note_vectors v USING (workspace_id, note_id, position)' : ''}`,
  );
  await ask(stage.databaseUrl, 'ALTER TABLE bench_passages ADD PRIMARY KEY (id)');
  await ask(stage.databaseUrl, 'CREATE INDEX ON bench_passages USING gin (words)');
  await ask(stage.databaseUrl, 'CREATE INDEX ON bench_passages (workspace_id)');
  await ask(stage.databaseUrl, 'VACUUM ANALYZE');
}

async function haveVectors({ databaseUrl }: BenchEnvironment, passages: number): Promise<boolean> {
  const [row] = await ask<{ n: number }>(databaseUrl, 'SELECT count(*)::int AS n FROM note_vectors');
  return row!.n >= passages;
}

const ids = 'md5(n.note_id::text || copy || w.id::text)::uuid';

/**
 * The tables that a search reads, filled for every new workspace with `copies` of what the template has. Without the
 * trigrams, which only a typing error asks for. $1: the template.
 */
const copied = [
  `INSERT INTO entities (workspace_id, id, type) SELECT w.id, e.id, e.type FROM bench_others w, entities e
   WHERE e.workspace_id = $1 AND e.type = 'person'`,
  `INSERT INTO note_log (workspace_id, id, entity_id, type, title, date, content, source, participants, passages)
   SELECT w.id, ${ids}, entity_id, type, title, date, content, source, participants, passages
   FROM bench_others w, generate_series(1, $2::int) AS copy, (SELECT *, id AS note_id FROM notes) AS n
   WHERE n.workspace_id = $1`,
  `INSERT INTO note_chunks (workspace_id, note_id, position, start, length) SELECT w.id, ${ids}, position, start, length
   FROM bench_others w, generate_series(1, $2::int) AS copy, note_chunks n WHERE n.workspace_id = $1`,
  `INSERT INTO note_numbers (workspace_id, number, note_id)
   SELECT w.id, number + (copy - 1) * last_number, ${ids}
   FROM bench_others w, generate_series(1, $2::int) AS copy, note_numbers n JOIN note_statistics s USING (workspace_id)
   WHERE n.workspace_id = $1`,
  `INSERT INTO note_terms (workspace_id, term, block, postings)
   SELECT w.id, term, block + (copy - 1) * (SELECT max(block) + 1 FROM note_terms WHERE workspace_id = $1), ARRAY(
     SELECT posting + ((copy - 1) * last_number::bigint << 32) FROM unnest(postings) AS posting ORDER BY 1)
   FROM bench_others w, generate_series(1, $2::int) AS copy, note_terms n JOIN note_statistics s USING (workspace_id)
   WHERE n.workspace_id = $1
   ORDER BY 1, 2`,
  `INSERT INTO note_statistics
   SELECT w.id, passages * $2::int, tokens * $2::int, last_number * $2::int FROM bench_others w, note_statistics n
   WHERE n.workspace_id = $1`,
];

/**
 * Gives other workspaces notes: copies of those that the hub has kept in a workspace, a passage each.
 * Needs a superuser, whom row-level security does not keep from reading across workspaces.
 */
export async function copyNotes(url: string, template: string, workspaces: number, copies: number): Promise<void> {
  await ask(url, `CREATE TABLE bench_others AS SELECT gen_random_uuid() AS id FROM generate_series(1, ${workspaces})`);
  for (const sql of copied) await ask(url, sql, sql.includes('$2') ? [template, copies] : [template]);
  await ask(url, 'VACUUM ANALYZE');
}
