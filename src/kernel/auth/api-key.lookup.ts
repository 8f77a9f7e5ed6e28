import type { Actor } from '#domain/actor/actor.js';
import type { Plan } from '#domain/plans/tiers.js';
import type { Instant } from '#domain/time/instant.js';
import { runDetached } from '#kernel/request-context.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { KeyOrigin } from './api-key.entity.js';
import { type Caller, expandScopes, type Scope } from './caller.js';

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
