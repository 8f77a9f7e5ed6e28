import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { readKeyId, type Actor } from '#domain/actor/actor.js';
import { toIso, type Instant } from '#domain/time/instant.js';
import { PeriodicTimer } from '#kernel/scheduling/periodic-timer.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { type Caller, expandScopes, type Scope } from './caller.js';
import type { Plan } from '#domain/plans/tiers.js';
import { runDetached } from '#kernel/request-context.js';
import { hashKey, isValidFormat } from './key-format.js';
import type { KeyOrigin } from './api-key.entity.js';

const FLUSH_INTERVAL_MS = 30_000;
const MAX_PENDING_KEYS = 10_000;

interface KeyUse {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly atMs: number;
  readonly client: string;
}

/**
 * Records when and by which client each key was last used. Requests only update memory; a background task writes all
 * keys in one statement, and again at shutdown. A process that is killed loses its latest records.
 */
export class KeyUsageService implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger(KeyUsageService.name);
  private readonly pending = new LRUCache<string, KeyUse>({ max: MAX_PENDING_KEYS });
  private readonly timer = new PeriodicTimer({ intervalMs: FLUSH_INTERVAL_MS, run: () => this.flush() });

  constructor(private readonly work: UnitOfWork) {}

  onModuleInit(): void {
    this.timer.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.timer.stop();
    await this.flush();
  }

  /**
   * Records a use; callers without a key are ignored.
   * @param client label of the calling program, such as `mcp`.
   */
  record(caller: Caller, client: string): void {
    const keyId = readKeyId(caller.actor);
    if (keyId === undefined) return;
    this.pending.set(keyId, { workspaceId: caller.workspaceId, keyId, atMs: Date.now(), client });
  }

  /** Writes the recorded uses to the database; uses that cannot be written stay for the next attempt. */
  async flush(): Promise<void> {
    const uses = [...this.pending.values()];
    if (uses.length === 0) return;
    this.pending.clear();
    try {
      await this.write(uses);
    } catch (error) {
      for (const use of uses) if (!this.pending.has(use.keyId)) this.pending.set(use.keyId, use);
      this.log.warn(`last use of API keys not written: ${String(error)}`);
    }
  }

  private write(uses: readonly KeyUse[]): Promise<unknown> {
    return this.work.system(tx =>
      tx.query(
        `UPDATE api_keys key SET last_used_at = used.at, last_used_client = used.client
         FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[]) AS used (workspace_id, id, at, client)
         WHERE key.workspace_id = used.workspace_id AND key.id = used.id
           AND (key.last_used_at >= used.at) IS NOT TRUE`,
        [
          uses.map(use => use.workspaceId),
          uses.map(use => use.keyId),
          uses.map(use => toIso(use.atMs * 1000)),
          uses.map(use => use.client),
        ],
      ),
    );
  }
}

/** How long a cached lookup is used, in milliseconds. Lookup time plus this stays below 5 s. */
const TTL_MS = 4_000;
const MAX_ENTRIES = 10_000;

/** Source of API keys for an {@link ApiKeyCache}. */
export interface ApiKeySource {
  find(hash: string): Promise<ValidKey | undefined>;
}

/** Clock of an {@link ApiKeyCache}: `performance`, or a manual clock in tests. */
export interface Clock {
  /** Returns milliseconds; never 0 and never decreasing. */
  now(): number;
}

/**
 * Resolves API keys to callers without a database query for each request. A revocation or a change of plan takes
 * effect at once if this process made it, and within 5 s otherwise. Expiry is exact to the millisecond. Unknown keys
 * have a cache of their own, so that guessing cannot evict valid keys.
 */
export class ApiKeyCache {
  private readonly callers: LRUCache<string, Caller>;
  private readonly unknownKeys: LRUCache<string, true>;
  private readonly revokedKeyIds: LRUCache<string, true>;

  constructor(
    private readonly source: ApiKeySource,
    private readonly clock: Clock = performance,
  ) {
    const settings = { max: MAX_ENTRIES, ttl: TTL_MS, perf: clock, ttlResolution: 0 };
    this.callers = new LRUCache(settings);
    this.unknownKeys = new LRUCache(settings);
    this.revokedKeyIds = new LRUCache(settings);
  }

  /**
   * Returns the caller of a key; undefined if the key is malformed, unknown, revoked or expired.
   * @throws HubError `unavailable` if the key is not cached and the database does not respond.
   */
  async resolve(key: string): Promise<Caller | undefined> {
    if (!isValidFormat(key) || this.unknownKeys.get(key)) return undefined;
    return this.excludeRevoked(this.callers.get(key) ?? (await this.lookUp(key)));
  }

  /** Returns the caller of a key that is cached; undefined means that `resolve` has to look it up. */
  getCached(key: string): Caller | undefined {
    return this.excludeRevoked(this.callers.get(key));
  }

  /**
   * Rejects a key from now on. Call it after the revocation is committed; before that a lookup could cache the key
   * again.
   */
  markRevoked(keyId: string): void {
    this.revokedKeyIds.set(keyId, true);
  }

  private excludeRevoked(caller: Caller | undefined): Caller | undefined {
    return caller && !this.revokedKeyIds.has(caller.actor.id) ? caller : undefined;
  }

  private async lookUp(key: string): Promise<Caller | undefined> {
    const start = this.clock.now();
    const found = await this.source.find(hashKey(key).toString('hex'));
    if (!found) {
      this.unknownKeys.set(key, true);
      return undefined;
    }
    const ttl = Math.floor(Math.min(TTL_MS, found.expiresInMs));
    if (ttl > 0) this.callers.set(key, found.caller, { ttl, start });
    return found.caller;
  }
}

/** A key that is valid now. */
export interface ValidKey {
  readonly caller: Caller;
  /** Milliseconds from the lookup until the key expires; Infinity if it does not expire. */
  readonly expiresInMs: number;
}

interface ApiKeyLookupRow {
  readonly hash: string;
  readonly workspace_id: string;
  readonly id: string;
  readonly scopes: Scope[];
  readonly origin: KeyOrigin;
  readonly expires_at: Instant | null;
  readonly plan: Plan;
}

/** Concurrent queries. Bounded so that a flood of invalid keys cannot exhaust the connection pool. */
const MAX_CONCURRENT_QUERIES = 2;
const MAX_KEYS_PER_QUERY = 500;

/**
 * Looks up API keys by their hash. Deduplicates concurrent lookups of a key and batches lookups while queries are
 * running. DataLoader would send a query for each tick, while these wait for one of two queries to end. Keys are compared by the database as SHA-256 hashes, so the duration reveals nothing about a key.
 */
export class ApiKeyLookup {
  private readonly pending = new Map<string, PromiseWithResolvers<ValidKey | undefined>>();
  private readonly queue: string[] = [];
  private activeQueries = 0;

  constructor(private readonly work: UnitOfWork) {}

  /**
   * Returns the key with this hash (hexadecimal); undefined if it is unknown, revoked or expired.
   * @throws HubError `unavailable` if the database does not respond.
   */
  find(hash: string): Promise<ValidKey | undefined> {
    const existing = this.pending.get(hash);
    if (existing) return existing.promise;
    const result = Promise.withResolvers<ValidKey | undefined>();
    this.pending.set(hash, result);
    this.queue.push(hash);
    runDetached(() => this.runQueries());
    return result.promise;
  }

  private runQueries(): void {
    while (this.activeQueries < MAX_CONCURRENT_QUERIES && this.queue.length > 0) {
      this.activeQueries++;
      void this.resolveBatch(this.queue.splice(0, MAX_KEYS_PER_QUERY)).finally(() => {
        this.activeQueries--;
        this.runQueries();
      });
    }
  }

  private async resolveBatch(hashes: readonly string[]): Promise<void> {
    try {
      const found = await this.query(hashes);
      for (const hash of hashes) this.takePending(hash).resolve(found.get(hash));
    } catch (error) {
      for (const hash of hashes) this.takePending(hash).reject(error);
    }
  }

  private takePending(hash: string): PromiseWithResolvers<ValidKey | undefined> {
    const result = this.pending.get(hash)!;
    this.pending.delete(hash);
    return result;
  }

  private query(hashes: readonly string[]): Promise<Map<string, ValidKey>> {
    return this.work.system(async tx => {
      const now = await tx.now();
      const rows = await tx.query<ApiKeyLookupRow>(
        `SELECT encode(key.hash, 'hex') AS hash, key.workspace_id, key.id, key.scopes, key.origin,
           key.expires_at, workspace.plan
         FROM api_keys key JOIN workspaces workspace ON workspace.id = key.workspace_id
         WHERE key.hash = ANY ($1) AND key.revoked_at IS NULL AND (key.expires_at > now()) IS NOT FALSE`,
        [hashes.map(hash => Buffer.from(hash, 'hex'))],
      );
      return new Map(rows.map(row => [row.hash, toValidKey(row, now)]));
    });
  }
}

function toValidKey(row: ApiKeyLookupRow, now: Instant): ValidKey {
  const { workspace_id: workspaceId, plan } = row;
  const actor = Object.freeze(toKeyActor(row));
  const scopes = Object.freeze(expandScopes(row.scopes));
  return {
    caller: Object.freeze({ workspaceId, actor, plan, scopes }),
    expiresInMs: row.expires_at === null ? Infinity : (row.expires_at - now) / 1000,
  };
}

/** Returns who acts with a key: keys that OAuth clients and sign-ins of the CLI received have a kind of their own. */
export function toKeyActor({ id, origin }: { readonly id: string; readonly origin: KeyOrigin }): Actor {
  return { kind: origin === 'oauth' || origin === 'cli' ? 'oauth' : 'key', id };
}
