import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.js';
import type { ValidKey } from './api-key.lookup.js';
import { hashKey, isValidFormat } from './key-format.js';

/** How long an answer about a key is believed, in milliseconds: with the look-up it stays below 5 s. */
const TTL_MS = 4_000;
const MAX_ENTRIES = 10_000;

/** Where a key ring looks keys up. */
export interface ApiKeySource {
  find(hash: string): Promise<ValidKey | undefined>;
}

/** What tells a key ring the time: `performance`, or a clock that a test turns. */
export interface Clock {
  /** Milliseconds, never 0 and never going back. */
  now(): number;
}

/**
 * Knows who is behind an API key without asking the database each time. Revoking a key or changing a plan is felt
 * here within 5 s when another process did it and at once when this one did; a key that expires does so to the
 * millisecond. Keys that nobody owns are remembered apart, so that guessing cannot push the good ones out.
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
   * The caller that a key stands for; undefined for one that is malformed, unknown, revoked or expired.
   * @throws HubError `unavailable` when the database would have to be asked and cannot answer.
   */
  async resolve(key: string): Promise<Caller | undefined> {
    if (!isValidFormat(key) || this.unknownKeys.get(key)) return undefined;
    return this.excludeRevoked(this.callers.get(key) ?? (await this.lookUp(key)));
  }

  /** The caller of a key that was looked up a moment ago; undefined says only that it has to be asked for. */
  getCached(key: string): Caller | undefined {
    return this.excludeRevoked(this.callers.get(key));
  }

  /** Refuses a key from now on. Call it when the revocation has been committed; until then others may read the key. */
  markRevoked(keyId: string): void {
    this.revokedKeyIds.set(keyId, true);
  }

  private excludeRevoked(caller: Caller | undefined): Caller | undefined {
    return caller && !this.revokedKeyIds.has(caller.keyId) ? caller : undefined;
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
