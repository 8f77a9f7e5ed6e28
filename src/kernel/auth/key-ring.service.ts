import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.js';
import type { GoodKey } from './key-directory.service.js';
import { hashOf, isWellFormed } from './key-format.js';

/** How long an answer about a key is believed, in milliseconds: with the look-up it stays below 5 s. */
const BELIEVED_MS = 4_000;
const REMEMBERED = 10_000;

/** Where a key ring looks keys up. */
export interface KeySource {
  find(hash: string): Promise<GoodKey | undefined>;
}

/** What tells a key ring the time: `performance`, or a clock that a test turns. */
export interface RingClock {
  /** Milliseconds, never 0 and never going back. */
  now(): number;
}

/**
 * Knows who is behind an API key without asking the database each time. Revoking a key or changing a plan is felt
 * here within 5 s when another process did it and at once when this one did; a key that expires does so to the
 * millisecond. Keys that nobody owns are remembered apart, so that guessing cannot push the good ones out.
 */
export class KeyRing {
  private readonly callers: LRUCache<string, Caller>;
  private readonly strangers: LRUCache<string, true>;
  private readonly revoked: LRUCache<string, true>;

  constructor(
    private readonly source: KeySource,
    private readonly clock: RingClock = performance,
  ) {
    const settings = { max: REMEMBERED, ttl: BELIEVED_MS, perf: clock, ttlResolution: 0 };
    this.callers = new LRUCache(settings);
    this.strangers = new LRUCache(settings);
    this.revoked = new LRUCache(settings);
  }

  /**
   * The caller that a key stands for; undefined for one that is malformed, unknown, revoked or expired.
   * @throws HubError `unavailable` when the database would have to be asked and cannot answer.
   */
  async resolve(key: string): Promise<Caller | undefined> {
    if (!isWellFormed(key) || this.strangers.get(key)) return undefined;
    return this.unlessRevoked(this.callers.get(key) ?? (await this.look(key)));
  }

  /** The caller of a key that was looked up a moment ago; undefined says only that it has to be asked for. */
  known(key: string): Caller | undefined {
    return this.unlessRevoked(this.callers.get(key));
  }

  /** Refuses a key from now on. Call it when the revocation has been committed; until then others may read the key. */
  forget(keyId: string): void {
    this.revoked.set(keyId, true);
  }

  private unlessRevoked(caller: Caller | undefined): Caller | undefined {
    return caller && !this.revoked.has(caller.keyId) ? caller : undefined;
  }

  private async look(key: string): Promise<Caller | undefined> {
    const start = this.clock.now();
    const found = await this.source.find(hashOf(key).toString('hex'));
    if (!found) {
      this.strangers.set(key, true);
      return undefined;
    }
    const ttl = Math.floor(Math.min(BELIEVED_MS, found.validMs));
    if (ttl > 0) this.callers.set(key, found.caller, { ttl, start });
    return found.caller;
  }
}
