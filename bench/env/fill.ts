import { personOf } from '../load/requests.ts';
import { inWorkspace } from './inside.ts';
import { ask } from './postgres.ts';
import type { BenchEnvironment } from './bench-environment.ts';

const CALLS_ABOUT_TEMPLATE = 4;
const OBSERVATIONS_EACH = CALLS_ABOUT_TEMPLATE * 3;
const PEOPLE_AT_ONCE = 10_000;

/**
 * Makes a database large: people who are copies of one that the hub itself has recorded, with all that the log and the
 * claims hold of it.
 * @param observations how many to add, rounded up to whole people.
 * @returns how many people there are now.
 */
export async function fill(stage: BenchEnvironment, observations: number): Promise<number> {
  const template = 'template@gmail.com';
  await stage.onHub('setup', 1, { calls: CALLS_ABOUT_TEMPLATE }, { name: 'record-hot', focus: template });
  const { from, count } = await stage.people();
  const end = from + count + Math.ceil(observations / OBSERVATIONS_EACH);
  for (let first = from + count; first < end; first += PEOPLE_AT_ONCE) {
    const addresses = Array.from({ length: Math.min(PEOPLE_AT_ONCE, end - first) }, (_, i) => personOf(first + i));
    await inWorkspace(stage.databaseUrl, stage.workspace.id, copies, [stage.workspace.id, template, addresses]);
  }
  await ask(stage.databaseUrl, 'VACUUM ANALYZE');
  return end;
}

/** An id as the hub makes them, in the order of time: random ones would spread what is new over all of an index. */
const NEW_ID = `(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7' ||
  substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`;

const copies = `
WITH template AS (
  SELECT entity_id AS id FROM identifiers WHERE workspace_id = $1 AND kind = 'email' AND key = $2
), people AS MATERIALIZED (
  SELECT ${NEW_ID} AS id, address FROM unnest($3::text[]) AS address
), made AS (
  INSERT INTO entities (workspace_id, id, type) SELECT $1, id, 'person' FROM people RETURNING id
), named AS (
  INSERT INTO identifiers (workspace_id, kind, key, value, entity_id)
  SELECT $1, 'email', address, address, id FROM people JOIN made USING (id)
), claimed AS (
  INSERT INTO claims (workspace_id, entity_id, property, state, value, text_value, number_value, confidence, epistemic_class,
                      supported_at, top_observation_id, next_change_at)
  SELECT $1, people.id, property, state, value, text_value, number_value, confidence, epistemic_class,
                      supported_at, top_observation_id, next_change_at
  FROM people, claims
  WHERE workspace_id = $1 AND entity_id = (SELECT id FROM template)
)
INSERT INTO observation_log
  (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, recorded_at, external_id, digest, raw)
SELECT $1, ${NEW_ID}, people.id, kind, property, value, source, method, observed_at, recorded_at, external_id,
       digest, raw
FROM people, observations WHERE workspace_id = $1 AND entity_id = (SELECT id FROM template)`;
