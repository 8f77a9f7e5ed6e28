import type { JsonValue } from '#domain/observation/observation.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { SecretBox } from '#kernel/secrets/secret-box.js';
import { UnsealError } from '#kernel/secrets/sealed-text.js';
import { NO_CONNECTION, toStoreSecretPlace } from '#plugin-host/store/plugin-store.js';
import { type ErasedPerson, type ErasurePhase, isKeyAbout, redactValue } from './erasure-phase.js';

const VALUES_PER_PAGE = 200;

interface StoreRow {
  readonly plugin: string;
  readonly connection_id: string;
  readonly key: string;
  readonly value: string;
}

type Outcome = 'unchanged' | 'erased' | 'unreadable';

/**
 * Erases the person from what plugins store, such as delivery logs, which is sealed. A value about the person, or under
 * a key that names them, is deleted; from other values mentions are removed. A value that no key opens is counted and
 * left as it is.
 */
export function createPluginStorePhase(box: SecretBox): ErasurePhase {
  return {
    name: 'plugin storage',
    run: async (tx, person, cursor) => {
      const [plugin, connection, key] = cursor === null ? [] : (JSON.parse(cursor) as string[]);
      const rows = await tx.query<StoreRow>(
        `SELECT plugin, connection_id, key, value FROM plugin_store
         WHERE workspace_id = $1 AND ($2::text IS NULL OR (plugin, connection_id, key) > ($2, $3::uuid, $4))
         ORDER BY plugin, connection_id, key LIMIT ${VALUES_PER_PAGE} FOR UPDATE`,
        [tx.workspace, plugin ?? null, connection ?? null, key ?? null],
      );
      const outcomes: Outcome[] = [];
      for (const row of rows) outcomes.push(await eraseValue(tx, box, person, row));
      const last = rows.at(-1);
      return {
        cursor:
          last && rows.length === VALUES_PER_PAGE ? JSON.stringify([last.plugin, last.connection_id, last.key]) : null,
        counts: {
          plugin_values: outcomes.filter(outcome => outcome === 'erased').length,
          unreadable_values: outcomes.filter(outcome => outcome === 'unreadable').length,
        },
      };
    },
  };
}

async function eraseValue(tx: Tx, box: SecretBox, person: ErasedPerson, row: StoreRow): Promise<Outcome> {
  const { plugin, key } = row;
  const connectionId = row.connection_id === NO_CONNECTION ? null : row.connection_id;
  const place = toStoreSecretPlace({ workspaceId: tx.workspace, plugin, connectionId }, key);
  const where = 'WHERE workspace_id = $1 AND plugin = $2 AND connection_id = $3 AND key = $4';
  const values = [tx.workspace, plugin, row.connection_id, key];
  let value: JsonValue;
  try {
    value = JSON.parse(box.open(place, row.value)) as JsonValue;
  } catch (error) {
    if (error instanceof UnsealError) return 'unreadable';
    throw error;
  }
  if (isKeyAbout(person, key) || statesId(person, value)) {
    await tx.query(`DELETE FROM plugin_store ${where}`, values);
    return 'erased';
  }
  const redacted = redactValue(person.matcher, value);
  if (redacted === value) return 'unchanged';
  const sealed = JSON.stringify(box.seal(place, JSON.stringify(redacted)));
  await tx.query(`UPDATE plugin_store SET value = $5, updated_at = now() ${where}`, [...values, sealed]);
  return 'erased';
}

/** Returns whether a field of an object is an id of the person, as `entity_id` of a delivery. */
function statesId({ ids }: ErasedPerson, value: JsonValue): boolean {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  return Object.values(value).some(field => typeof field === 'string' && ids.includes(field));
}
