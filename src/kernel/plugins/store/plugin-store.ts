import { Injectable } from '@nestjs/common';
import type { StoreEntry, StorePage } from '#sdk/hub-context.js';
import type { Json } from '#sdk/json.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { SecretBox } from '#kernel/secrets/secret-box.js';

/** Whose store it is. */
export interface StoreOwner {
  readonly workspaceId: string;
  readonly plugin: string;
  /** Null for a plugin without a connection. */
  readonly connectionId: string | null;
}

const LONGEST_KEY = 200;
const LARGEST_VALUE = 64 * 1024;
const LONGEST_PAGE = 100;
const NO_CONNECTION = '00000000-0000-0000-0000-000000000000';

/** A key or a value is larger than the store takes. */
export class StoreLimit extends Error {}

/**
 * Small things that plugins remember, apart for each workspace, plugin and connection. Values are sealed: among them
 * are signing secrets and tokens that a provider gave.
 */
@Injectable()
export class PluginStore {
  constructor(
    private readonly work: UnitOfWork,
    private readonly box: SecretBox,
  ) {}

  /** The value under a key; undefined when there is none. */
  get(owner: StoreOwner, key: string): Promise<Json | undefined> {
    return this.work.run(owner.workspaceId, async tx => {
      const rows = await tx.query<{ value: string }>(
        `SELECT value FROM plugin_store WHERE workspace_id = $1 AND plugin = $2 AND connection_id = $3 AND key = $4`,
        rowOf(owner, key),
      );
      return rows[0] && (JSON.parse(this.box.open(placeOf(owner, key), rows[0].value)) as Json);
    });
  }

  /** Sets a value, whatever was there. @throws StoreLimit */
  async put(owner: StoreOwner, key: string, value: Json): Promise<void> {
    const text = JSON.stringify(value ?? null);
    if (Buffer.byteLength(text) > LARGEST_VALUE) throw new StoreLimit('A value of the store may have 64 kB as JSON.');
    const row = [...rowOf(owner, key), JSON.stringify(this.box.seal(placeOf(owner, key), text))];
    await this.work.run(owner.workspaceId, async tx =>
      tx.queryWithCommit(
        `INSERT INTO plugin_store (workspace_id, plugin, connection_id, key, value) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (workspace_id, plugin, connection_id, key)
         DO UPDATE SET value = excluded.value, updated_at = now()`,
        row,
      ),
    );
  }

  /** What stands under keys that begin with `prefix`, by the bytes of the keys. @throws StoreLimit */
  list(owner: StoreOwner, prefix: string, { after = '', limit = LONGEST_PAGE }: StorePage): Promise<StoreEntry[]> {
    if (!Number.isInteger(limit) || limit < 1 || limit > LONGEST_PAGE) {
      throw new StoreLimit(`A page of the store has 1 to ${LONGEST_PAGE} values.`);
    }
    const [workspace, plugin, connection] = rowOf(owner, prefix);
    return this.work.run(owner.workspaceId, async tx => {
      const rows = await tx.query<{ key: string; value: string }>(
        `SELECT key, value FROM plugin_store WHERE workspace_id = $1 AND plugin = $2 AND connection_id = $3
           AND starts_with(key, $4) AND key COLLATE "C" > $5 ORDER BY key COLLATE "C" LIMIT $6`,
        [workspace, plugin, connection, prefix, after, limit],
      );
      return rows.map(({ key, value }) => ({
        key,
        value: JSON.parse(this.box.open(placeOf(owner, key), value)) as Json,
      }));
    });
  }

  /** Takes a value away; that there is none is well. */
  async delete(owner: StoreOwner, key: string): Promise<void> {
    await this.work.run(owner.workspaceId, async tx =>
      tx.queryWithCommit(
        'DELETE FROM plugin_store WHERE workspace_id = $1 AND plugin = $2 AND connection_id = $3 AND key = $4',
        rowOf(owner, key),
      ),
    );
  }
}

/** Where the secrets of a store's row are at home. */
export function placeOf({ workspaceId, plugin, connectionId }: StoreOwner, key: string) {
  return { workspace: workspaceId, owner: connectionId ?? NO_CONNECTION, field: `store.${plugin}.${key}` };
}

function rowOf({ workspaceId, plugin, connectionId }: StoreOwner, key: string): string[] {
  if (key === '' || key.length > LONGEST_KEY || key.includes('\0')) {
    throw new StoreLimit(`A key of the store has 1 to ${LONGEST_KEY} characters.`);
  }
  return [workspaceId, plugin, connectionId ?? NO_CONNECTION, key];
}
