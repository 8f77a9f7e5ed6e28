import type { TestHub } from '../hub.js';

const NEW_ID = `(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7' ||
  substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`;

const COPY_PEOPLE = `
  WITH template AS (
    SELECT entity_id AS id FROM identifiers WHERE workspace_id = $1 AND kind = 'email' AND key = $2
  ), people AS MATERIALIZED (
    SELECT ${NEW_ID} AS id, i FROM generate_series($3::int, $4::int) AS i
  ), made AS (
    INSERT INTO entities (workspace_id, id, type, name, name_key)
    SELECT $1, id, 'person', 'Copy ' || lpad(i::text, 6, '0'), 'copy ' || lpad(i::text, 6, '0') FROM people RETURNING id
  ), named AS (
    INSERT INTO identifiers (workspace_id, kind, key, value, entity_id)
    SELECT $1, 'email', 'copy' || i || '@many.example', 'copy' || i || '@many.example', id FROM people JOIN made USING (id)
  )
  INSERT INTO claims (workspace_id, entity_id, property, state, value, text_value, number_value, confidence, epistemic_class,
                      supported_at, top_observation_id, next_change_at)
  SELECT $1, people.id, property, state, value, text_value, number_value, confidence, epistemic_class,
         supported_at, top_observation_id, next_change_at
  FROM people, claims WHERE workspace_id = $1 AND entity_id = (SELECT id FROM template) AND property <> 'name'`;

const AT_ONCE = 20_000;

/**
 * Puts copies of a person into the tables, with names and addresses of their own: recording so many would take minutes.
 * @param template address of the person
 * @param numbers the first and the last number of a copy, which its name and address have
 */
export async function copyPeople(
  { database }: TestHub,
  workspaceId: string,
  template: string,
  [first, last]: readonly [first: number, last: number],
): Promise<void> {
  for (let from = first; from <= last; from += AT_ONCE) {
    const to = Math.min(last, from + AT_ONCE - 1);
    await database.work.run(workspaceId, tx => tx.query(COPY_PEOPLE, [workspaceId, template, from, to]));
  }
  await database.pool.query('ANALYZE');
}
