import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { readKeyId } from '#domain/actor/actor.js';
import { toIso } from '#domain/time/instant.js';
import { PeriodicTimer } from '#kernel/scheduling/periodic-timer.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { Caller } from './caller.js';

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
