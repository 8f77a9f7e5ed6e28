import { Injectable } from '@nestjs/common';
import type { StoreAct, StoreChange, StoreEntry, StoreListOptions } from '#sdk/hub-context.js';
import type { Json } from '#sdk/schema.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { UnsealError, SecretBox } from '#kernel/secrets/secret-box.js';
import { recordAct } from '#kernel/audit/audit-log.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Sweeper } from '#kernel/scheduling/periodic-task.js';

/** Selects the unexpired rows of one store. $1 workspace, $2 plugin, $3 connection. */
const UNEXPIRED = `
  workspace_id = $1 AND plugin = $2 AND connection_id = $3 AND (expires_at IS NULL OR expires_at > now())`;

/** Reads one value. $4 key. */
export const READ_VALUE = `SELECT value FROM plugin_store WHERE ${UNEXPIRED} AND key = $4`;

/** Reads several values. $4 keys. */
export const READ_VALUES = `SELECT key, value FROM plugin_store WHERE ${UNEXPIRED} AND key = ANY ($4)`;

/** Selects keys that begin with $4 as an index range: U+10FFFF sorts after every other character. */
const WITH_PREFIX = `key >= $4 AND key < $4 || chr(1114111)`;

/** Returns a row if any key begins with $4. $1 workspace, $2 plugin, $3 connection. */
export const HAS_KEY_WITH_PREFIX = `
  SELECT FROM plugin_store WHERE workspace_id = $1 AND plugin = $2 AND connection_id = $3 AND ${WITH_PREFIX} LIMIT 1`;

/** Lists entries by key. $4 prefix, $5 key to start after or null, $6 maximum number of rows. */
export const LIST_VALUES = `
  SELECT key, value, updated_at FROM plugin_store WHERE ${UNEXPIRED} AND ${WITH_PREFIX} AND ($5::text IS NULL OR key > $5)
  ORDER BY key LIMIT $6`;

/** Lists entries by key, descending. Parameters as in {@link LIST_VALUES}. */
export const LIST_VALUES_DESC = `
  SELECT key, value, updated_at FROM plugin_store WHERE ${UNEXPIRED} AND ${WITH_PREFIX} AND ($5::text IS NULL OR key < $5)
  ORDER BY key DESC LIMIT $6`;

/** Inserts or updates values. $4 keys, $5 sealed values, $6 seconds until they expire or null. */
const UPSERT_VALUES = `
  INSERT INTO plugin_store AS existing (workspace_id, plugin, connection_id, key, value, expires_at)
  SELECT $1, $2, $3, key, value, now() + make_interval(secs => expires)
  FROM unnest($4::text[], $5::jsonb[], $6::float8[]) AS input (key, value, expires)
  ON CONFLICT (workspace_id, plugin, connection_id, key)
  DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at, updated_at = now()`;

/** Sets values, replacing existing ones. */
export const PUT_VALUES = UPSERT_VALUES;

/** Sets values only where none or an expired one exists, and returns a row for each that was set. */
export const ADD_VALUES = `${UPSERT_VALUES} WHERE existing.expires_at <= now() RETURNING key`;

/** Deletes values. $4 keys. */
export const REMOVE_VALUES = `
  DELETE FROM plugin_store WHERE workspace_id = $1 AND plugin = $2 AND connection_id = $3 AND key = ANY ($4)`;

/** Identifies one store. */
export interface StoreOwner {
  readonly workspaceId: string;
  readonly plugin: string;
  /** Null for a plugin without a connection. */
  readonly connectionId: string | null;
}

const MAX_KEY_LENGTH = 200;
const MAX_VALUE_BYTES = 64 * 1024;
const MAX_BATCH_SIZE = 1_000;
const DEFAULT_PAGE_SIZE = 100;
/** Connection ID in the rows of plugins without a connection. */
export const NO_CONNECTION = '00000000-0000-0000-0000-000000000000';

/** A key, value or batch exceeds the limits of the store. */
export class StoreLimitError extends Error {}

/** Rolls the changes of one write back. */
class KeyTakenError extends Error {}

/**
 * Key-value store for plugins, separate for each workspace, plugin and connection. Values are sealed: they include
 * signing secrets and tokens from providers.
 */
@Injectable()
export class PluginStore {
  constructor(
    private readonly work: UnitOfWork,
    private readonly box: SecretBox,
  ) {}

  /** Returns the value of a key; undefined if there is none, as for a key that no value can have. @throws UnsealError */
  async get(owner: StoreOwner, key: string): Promise<Json | undefined> {
    if (!isKey(key)) return undefined;
    return this.work.run(owner.workspaceId, async tx => {
      const [row] = await tx.query<{ value: string }>(READ_VALUE, [...toOwnerParams(owner), key]);
      return row && this.openValue(owner, key, row.value);
    });
  }

  /** Returns the values of up to 1000 keys; missing keys are omitted. @throws StoreLimitError, UnsealError */
  async getMany(owner: StoreOwner, keys: readonly string[]): Promise<ReadonlyMap<string, Json>> {
    if (keys.length > MAX_BATCH_SIZE) throw new StoreLimitError(`At most ${MAX_BATCH_SIZE} values are read at once.`);
    const possible = keys.filter(isKey);
    if (possible.length === 0) return new Map();
    const rows = await this.work.run(owner.workspaceId, tx =>
      tx.query<{ key: string; value: string }>(READ_VALUES, [...toOwnerParams(owner), possible]),
    );
    return new Map(rows.map(({ key, value }) => [key, this.openValue(owner, key, value)]));
  }

  /** Lists entries whose keys begin with `prefix`, in byte order of the keys. @throws StoreLimitError, UnsealError */
  async list(owner: StoreOwner, prefix: string, options: StoreListOptions = {}): Promise<StoreEntry[]> {
    const { after = null, limit = DEFAULT_PAGE_SIZE, reverse = false, includeLocked = false } = options;
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_BATCH_SIZE) {
      throw new StoreLimitError(`A page of the store has 1 to ${MAX_BATCH_SIZE} values.`);
    }
    const rows = await this.work.run(owner.workspaceId, tx =>
      tx.query<ListedRow>(reverse ? LIST_VALUES_DESC : LIST_VALUES, [
        ...toOwnerParams(owner),
        checkKey(prefix),
        after,
        limit,
      ]),
    );
    return rows.map(row => this.toEntry(owner, row, includeLocked));
  }

  /**
   * Applies all changes, or none if a key with `mustBeNew` exists.
   * @param act recorded in the audit log with the changes
   * @returns whether they were applied
   * @throws StoreLimitError
   */
  async write(owner: StoreOwner, changes: readonly StoreChange[], act?: StoreAct): Promise<boolean> {
    if (changes.length > MAX_BATCH_SIZE)
      throw new StoreLimitError(`One write takes at most ${MAX_BATCH_SIZE} changes.`);
    const sealed = changes.map(change => this.sealChange(owner, change));
    const [removed, written] = [
      sealed.filter(({ value }) => value === null),
      sealed.filter(({ value }) => value !== null),
    ];
    const byMustBeNew = Map.groupBy(written, ({ mustBeNew }) => mustBeNew === true);
    try {
      await this.work.run(owner.workspaceId, async tx => {
        await insertNew(tx, owner, byMustBeNew.get(true) ?? []);
        const upserted = byMustBeNew.get(false) ?? [];
        if (upserted.length > 0) tx.deferToCommit(PUT_VALUES, [...toOwnerParams(owner), ...toColumns(upserted)]);
        if (act) recordAct(tx, { ...act, action: toAction(owner.plugin, act.action) });
        if (removed.length > 0)
          tx.deferToCommit(REMOVE_VALUES, [...toOwnerParams(owner), removed.map(({ key }) => key)]);
      });
      return true;
    } catch (error) {
      if (error instanceof KeyTakenError) return false;
      throw error;
    }
  }

  private toEntry(owner: StoreOwner, { key, value, updated_at }: ListedRow, includeLocked: boolean): StoreEntry {
    try {
      return { key, value: this.openValue(owner, key, value) };
    } catch (error) {
      if (!includeLocked || !(error instanceof UnsealError)) throw error;
      return { key, value: null, locked: { updatedAt: toIso(updated_at) } };
    }
  }

  private openValue(owner: StoreOwner, key: string, sealed: string): Json {
    return JSON.parse(this.box.open(toStoreSecretPlace(owner, key), sealed)) as Json;
  }

  private sealChange(owner: StoreOwner, { value, ...change }: StoreChange): SealedChange {
    const key = checkKey(change.key);
    if (value === undefined) return { ...change, value: null };
    const text = JSON.stringify(value);
    if (Buffer.byteLength(text) > MAX_VALUE_BYTES)
      throw new StoreLimitError('A value of the store may have at most 64 kB as JSON.');
    return { ...change, value: JSON.stringify(this.box.seal(toStoreSecretPlace(owner, key), text)) };
  }
}

/** Returns the action of a plugin in the audit log. @throws StoreLimitError if it is not a verb */
function toAction(plugin: string, action: string): `${string}.${string}` {
  if (!/^[a-z_]{1,40}$/.test(action))
    throw new StoreLimitError('An action has 1 to 40 lower-case letters and underscores.');
  return `${plugin}.${action}`;
}

interface ListedRow {
  readonly key: string;
  readonly value: string;
  readonly updated_at: Instant;
}

/** A change with its sealed value; null deletes the key. */
type SealedChange = Omit<StoreChange, 'value'> & { readonly value: string | null };

/** Returns the authenticated context under which a value is sealed. */
export function toStoreSecretPlace({ workspaceId, plugin, connectionId }: StoreOwner, key: string) {
  return { workspace: workspaceId, owner: connectionId ?? NO_CONNECTION, field: `store.${plugin}.${key}` };
}

async function insertNew(tx: Tx, owner: StoreOwner, changes: readonly SealedChange[]): Promise<void> {
  if (changes.length === 0) return;
  const inserted = await tx.query(ADD_VALUES, [...toOwnerParams(owner), ...toColumns(changes)]);
  if (inserted.length < changes.length) throw new KeyTakenError();
}

function toColumns(changes: readonly SealedChange[]): unknown[] {
  return [
    changes.map(({ key }) => key),
    changes.map(({ value }) => value),
    changes.map(({ expiresInMs }) => (expiresInMs === undefined ? null : expiresInMs / 1000)),
  ];
}

function toOwnerParams({ workspaceId, plugin, connectionId }: StoreOwner): string[] {
  return [workspaceId, plugin, connectionId ?? NO_CONNECTION];
}

function isKey(key: string): boolean {
  return key !== '' && key.length <= MAX_KEY_LENGTH && !key.includes('\0');
}

function checkKey(key: string): string {
  if (!isKey(key)) throw new StoreLimitError(`A key of the store has 1 to ${MAX_KEY_LENGTH} characters.`);
  return key;
}

const DELETE_EXPIRED = `
  DELETE FROM plugin_store WHERE (workspace_id, plugin, connection_id, key) IN (
    SELECT workspace_id, plugin, connection_id, key FROM plugin_store
    WHERE expires_at <= now() ORDER BY expires_at LIMIT $1)
  RETURNING key`;

/** Deletes expired values of plugin stores. */
@Injectable()
export class PluginStoreSweeper extends Sweeper {
  constructor(work: UnitOfWork) {
    super(work, { loggerName: 'plugins', sql: DELETE_EXPIRED, batchSize: 1_000 });
  }
}
