import { Inject, Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HeldResponses } from './limits.hooks.js';

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
