import { Redis } from 'ioredis';
import { ThrottledLogger, type WarnLogger } from '#kernel/telemetry/throttled-logger.js';
import type { UsageDelta, UsageStore } from './usage-store.js';

const KEY_PREFIX = '{rapport}:usage';

/** Counts in Redis, all counters in one round trip. Fails at once while Redis is away. */
export class RedisUsageStore implements UsageStore {
  private readonly redis: Redis;

  constructor(url: string, log: WarnLogger) {
    const errorLogger = new ThrottledLogger(log, 'Redis of the limits');
    this.redis = new Redis(url, {
      connectTimeout: 3_000,
      commandTimeout: 2_000,
      maxRetriesPerRequest: 1,
      enableOfflineQueue: false,
      retryStrategy: attempt => Math.min(100 * 2 ** attempt, 2_000),
    });
    this.redis.on('error', error => errorLogger.warn(error));
  }

  async add(deltas: readonly UsageDelta[]): Promise<number[]> {
    const pipeline = this.redis.pipeline();
    for (const { workspaceId, name, period, amount, ttlMs } of deltas) {
      const key = `${KEY_PREFIX}:${workspaceId}:${name}:${period}`;
      pipeline.incrby(key, amount).pexpire(key, Math.ceil(ttlMs));
    }
    const results = (await pipeline.exec()) ?? [];
    return deltas.map((_, i) => {
      const [error, total] = results[2 * i] ?? [new Error('Redis did not answer')];
      if (error) throw error;
      return Number(total);
    });
  }

  close(): void {
    this.redis.disconnect();
  }
}
