import type { EntityType } from '#domain/identity/focus.js';
import type { JsonValue } from '#domain/observation/observation.js';
import type { Tx } from '#kernel/db/transaction.js';

/** Number of the latest observations of a property from which types and examples are taken. */
const SAMPLED_OBSERVATIONS = 100;
/** Maximum size of a value that serves as an example, in bytes. */
const MAX_EXAMPLE_BYTES = 120;

/** A property that observations state. */
export interface StatedProperty {
  readonly property: string;
  /** Types of the entities that the latest observations are about. */
  readonly types: readonly EntityType[];
  /** JSON types of their values, such as `string`. */
  readonly value_types: readonly string[];
  /** Short values of the chosen type of entities that are no objects, the latest first; may repeat. */
  readonly values: readonly JsonValue[];
}

/** Which stated properties to read. */
export interface StatedPropertiesSelection {
  readonly type: EntityType;
  /** Properties to read even if no sampled observation is about an entity of the type. */
  readonly known: readonly string[];
  /** Name after which the page begins. */
  readonly after: string;
  readonly limit: number;
  /** Text that names contain; empty for all. */
  readonly text: string;
}

/**
 * Names of families with any number of members, which are not listed: interactions and action items. The character
 * after the dot ends each family in the order of the index.
 */
const NEXT_NAME = `CASE WHEN starts_with(name, 'interaction.') THEN 'interaction/'
  WHEN starts_with(name, 'action_item.') THEN 'action_item/' ELSE name END`;

/** Returns SQL for the next name after `after`, from the index by property. */
const nextNameSql = (after: string) => `(
  SELECT property FROM observations
  WHERE workspace_id = $1 AND property COLLATE "C" > ${after} AND happens_at > '-infinity'
  ORDER BY property COLLATE "C" LIMIT 1)`;

/** The recursion jumps from name to name, so its cost grows with the properties and not with the observations. */
const READ_STATED = `
  WITH RECURSIVE names (name) AS (
    SELECT ${nextNameSql('$2')} UNION ALL
    SELECT ${nextNameSql(NEXT_NAME)} FROM names WHERE name IS NOT NULL)
  SELECT name AS property, sampled.types, sampled.value_types, sampled.values
  FROM names, LATERAL (
    SELECT coalesce(array_agg(DISTINCT type), '{}') AS types,
      coalesce(array_agg(DISTINCT value_type) FILTER (WHERE type = $3 AND value_type <> 'null'), '{}') AS value_types,
      coalesce(jsonb_agg(value ORDER BY happens_at DESC, id DESC)
        FILTER (WHERE type = $3 AND value_type NOT IN ('null', 'object') AND pg_column_size(value) <= ${MAX_EXAMPLE_BYTES}), '[]') AS values
    FROM (
      SELECT latest.*, e.type, jsonb_typeof(latest.value) AS value_type
      FROM (
        SELECT id, entity_id, value, happens_at FROM observations
        WHERE workspace_id = $1 AND property COLLATE "C" = name AND happens_at > '-infinity'
        ORDER BY happens_at DESC, id DESC LIMIT ${SAMPLED_OBSERVATIONS}) AS latest
      JOIN LATERAL (SELECT type FROM entities WHERE workspace_id = $1 AND id = latest.entity_id OFFSET 0) e ON true
    ) AS typed) AS sampled
  WHERE name IS NOT NULL AND NOT starts_with(name, 'interaction.') AND NOT starts_with(name, 'action_item.')
    AND strpos(name, $4) > 0 AND ($3 = ANY (sampled.types) OR name = ANY ($5::text[]))
  LIMIT $6`;

/** Returns properties that observations of the workspace state, by name. */
export function readStatedProperties(
  tx: Tx,
  { type, known, after, limit, text }: StatedPropertiesSelection,
): Promise<StatedProperty[]> {
  return tx.query<StatedProperty>(READ_STATED, [tx.workspace, after, type, text, known, limit]);
}
