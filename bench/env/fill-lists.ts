import { inWorkspace } from './inside.ts';
import { ask } from './postgres.ts';
import type { BenchEnvironment } from './bench-environment.ts';

const AT_ONCE = 100_000;

/** SQL for an id that looks like the hub's own. */
const idOf = (sql: string) => `overlay(overlay(md5(${sql}) placing '7' from 13) placing '8' from 17)::uuid`;
const person = idOf("'person ' || i");
const address = "'listed-' || i || '@company-' || i % 200 || '.com'";

const statements = [
  `INSERT INTO entities (workspace_id, id, type, name, name_key, last_activity_at)
   SELECT $1, ${person}, 'person', 'Person Number ' || i, 'person number ' || i, now() - i * interval '1 second'
   FROM generate_series($2::int, $3::int) AS i`,
  `INSERT INTO identifiers (workspace_id, kind, key, value, entity_id)
   SELECT $1, 'email', ${address}, ${address}, ${person} FROM generate_series($2::int, $3::int) AS i`,
  `INSERT INTO claims (workspace_id, entity_id, property, state, value, text_value, confidence, epistemic_class, supported_at)
   SELECT $1, ${person}, property, '{}', to_jsonb(text), text, 0.75, 'asserted', now()
   FROM generate_series($2::int, $3::int) AS i,
     LATERAL (VALUES ('title', 'vp sales ' || i % 500), ('company', 'company ' || i % 200)) AS c (property, text)`,
  `INSERT INTO leads (workspace_id, id, list_id, entity_id, priority, created_at)
   SELECT $1, ${idOf("'lead ' || i")}, ${idOf("'list'")}, ${person}, i % 101, now() - i * interval '1 second'
   FROM generate_series($2::int, $3::int) AS i`,
];

/** Puts people straight into the tables, each with an address and two claims, and all of them into one lead list. */
export async function fillLists({ databaseUrl, workspace: { id } }: BenchEnvironment, people: number): Promise<void> {
  const list = `INSERT INTO lead_lists (workspace_id, id, name, source) VALUES ($1, ${idOf("'list'")}, 'Listed', 'bench')`;
  await inWorkspace(databaseUrl, id, list, [id]);
  for (let from = 1; from <= people; from += AT_ONCE) {
    for (const sql of statements)
      await inWorkspace(databaseUrl, id, sql, [id, from, Math.min(people, from + AT_ONCE - 1)]);
  }
  await ask(databaseUrl, 'VACUUM ANALYZE entities, identifiers, claims, leads, lead_lists');
}
