import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.js';
import type { ValidKey } from './api-key.lookup.js';
import { hashKey, isValidFormat } from './key-format.js';

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
