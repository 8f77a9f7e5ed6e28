import { Inject, Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { isProtectedPath } from '../auth/caller.guard.js';
import { readClientAddress, toNetwork } from './client-address.js';

/** How long a refusal is held by default, in milliseconds. */
const HOLD_MS = 1_000;
/** Maximum number of responses that are held at the same time. */
const MAX_HELD = 2_000;
/** Maximum number of responses to one network that are held at the same time. */
const MAX_HELD_PER_NETWORK = 500;

/**
 * Delays refusals, so that a caller who ignores them sends at most one request per connection and second. A held
 * response costs a timer; beyond {@link MAX_HELD} responses are not delayed, and their connection is closed.
 */
@Injectable()
export class HeldResponses {
  private readonly heldByNetwork = new Map<string, number>();
  private heldCount = 0;

  /** Returns the number of responses that are held now. */
  get held(): number {
    return this.heldCount;
  }

  /**
   * Waits before a refusal is sent.
   * @param network network of the caller, see `toNetwork`
   * @param maxPerNetwork maximum number of held responses of this network
   * @returns whether the response was held; if not, too many are held already
   */
  async hold(network: string, delayMs = HOLD_MS, maxPerNetwork = MAX_HELD_PER_NETWORK): Promise<boolean> {
    const heldHere = this.heldByNetwork.get(network) ?? 0;
    if (this.heldCount >= MAX_HELD || heldHere >= maxPerNetwork) return false;
    this.heldCount++;
    this.heldByNetwork.set(network, heldHere + 1);
    try {
      await pause(delayMs);
    } finally {
      this.release(network);
    }
    return true;
  }

  private release(network: string): void {
    this.heldCount--;
    const left = this.heldByNetwork.get(network)! - 1;
    if (left === 0) this.heldByNetwork.delete(network);
    else this.heldByNetwork.set(network, left);
  }
}

/** Seconds over which requests without a key are counted. */
const WINDOW_SECONDS = 10;

/** The part of {@link RateLimiterRes} that callers get. */
export interface Excess {
  readonly retryAfterSeconds: number;
}

/**
 * Limits callers without a valid API key by network: `PUBLIC_RATE_LIMIT` requests per second, counted over ten seconds
 * in this process. Each process protects itself; nothing is read from a store before a caller is refused.
 */
@Injectable()
export class PublicRateLimiter {
  private readonly limiter: RateLimiterMemory | undefined;

  constructor(
    @Inject(ENV) { publicRateLimit }: Pick<Env, 'publicRateLimit'>,
    private readonly responses: HeldResponses,
  ) {
    if (publicRateLimit === 0) return;
    this.limiter = new RateLimiterMemory({ points: publicRateLimit * WINDOW_SECONDS, duration: WINDOW_SECONDS });
  }

  /**
   * Counts a request.
   * @returns undefined if the network is within its limit
   */
  async count(network: string): Promise<Excess | undefined> {
    try {
      await this.limiter?.consume(network);
      return undefined;
    } catch (usage) {
      if (!(usage instanceof RateLimiterRes)) throw usage;
      return { retryAfterSeconds: Math.max(1, Math.ceil(usage.msBeforeNext / 1000)) };
    }
  }

  /**
   * Counts a request, and delays the refusal of a network that is over its limit.
   * @throws HubError `rate_limited`
   */
  async admit(network: string): Promise<void> {
    const excess = await this.count(network);
    if (!excess) return;
    await this.responses.hold(network);
    throw new HubError('rate_limited', {
      detail: 'Too many requests without an API key from this network. Wait a few seconds.',
      retryAfterSeconds: excess.retryAfterSeconds,
    });
  }

  /** Counts a request with an invalid key, and delays its response if the network is over its limit. */
  async delayUnauthorized(network: string): Promise<void> {
    if (await this.count(network)) await this.responses.hold(network);
  }
}

/**
 * Webhooks have limits of their own, because a provider may send many from one address. A page of the console loads a dozen
 * files, which cost a read from the disk and are cached for good: counted, they would shut out an office behind one address.
 */
const UNCOUNTED_PATH = /^\/(?:hooks|assets)\//;

/**
 * Limits requests to public paths by network before anything else is done for them. Paths that need a key are limited
 * where the key is rejected.
 */
export function limitPublicRequests(fastify: FastifyInstance, limiter: PublicRateLimiter): void {
  fastify.addHook('onRequest', (request, _, done) => {
    if (isProtectedPath(request.url) || UNCOUNTED_PATH.test(request.url)) return done();
    limiter.admit(toNetwork(readClientAddress(request))).then(() => done(), done);
  });
}
