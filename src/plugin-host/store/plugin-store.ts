import { Injectable } from '@nestjs/common';
import type { StoreAct, StoreChange, StoreEntry, StoreListOptions } from '#sdk/hub-context.js';
import type { Json } from '#sdk/json.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { UnsealError } from '#kernel/secrets/sealed-text.js';
import { recordAct } from '#kernel/audit/audit-log.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { SecretBox } from '#kernel/secrets/secret-box.js';
import {
  ADD_VALUES,
  LIST_VALUES,
  LIST_VALUES_DESC,
  PUT_VALUES,
  READ_VALUE,
  READ_VALUES,
  REMOVE_VALUES,
} from './store.queries.js';

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

  /** Returns the value of a key; undefined if there is none. @throws StoreLimitError, UnsealError */
  get(owner: StoreOwner, key: string): Promise<Json | undefined> {
    return this.work.run(owner.workspaceId, async tx => {
      const [row] = await tx.query<{ value: string }>(READ_VALUE, [...toOwnerParams(owner), checkKey(key)]);
      return row && this.openValue(owner, key, row.value);
    });
  }

  /** Returns the values of up to 1000 keys; missing keys are omitted. @throws StoreLimitError, UnsealError */
  async getMany(owner: StoreOwner, keys: readonly string[]): Promise<ReadonlyMap<string, Json>> {
    if (keys.length > MAX_BATCH_SIZE) throw new StoreLimitError(`At most ${MAX_BATCH_SIZE} values are read at once.`);
    if (keys.length === 0) return new Map();
    const rows = await this.work.run(owner.workspaceId, tx =>
      tx.query<{ key: string; value: string }>(READ_VALUES, [...toOwnerParams(owner), keys.map(checkKey)]),
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

function checkKey(key: string): string {
  if (key === '' || key.length > MAX_KEY_LENGTH || key.includes('\0')) {
    throw new StoreLimitError(`A key of the store has 1 to ${MAX_KEY_LENGTH} characters.`);
  }
  return key;
}
