import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import '#kernel/auth/current-caller.decorator.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { HubError } from '#kernel/errors/errors.js';

/** Seconds of allowance that a key may use up at once. */
const BURST_SECONDS = 5;

/**
 * Holds every API key to the requests per second of its plan, counted over five seconds, so that five times as many
 * may come at once. Counts in this process: several api processes allow several times as much. Must run after the
 * guard that knows the caller; requests without one pass.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly limiters: ReadonlyMap<string, RateLimiterMemory>;

  constructor(@Inject(ENV) { rateLimits }: Env) {
    const limited = Object.entries(rateLimits).filter(([, perSecond]) => perSecond > 0);
    this.limiters = new Map(limited.map(([plan, perSecond]) => [plan, limiterOf(plan, perSecond)]));
  }

  /** @throws HubError `rate_limited` with the seconds to wait. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { caller } = http.getRequest<FastifyRequest>();
    const limiter = caller && this.limiters.get(caller.plan);
    if (!limiter) return true;
    const { standing, refused } = await consume(limiter, caller.keyId);
    const secondsLeft = Math.ceil(standing.msBeforeNext / 1000);
    http.getResponse<FastifyReply>().headers({
      'ratelimit-limit': limiter.points,
      'ratelimit-remaining': standing.remainingPoints,
      'ratelimit-reset': secondsLeft,
    });
    if (refused) throw new HubError('rate_limited', { retryAfterSeconds: secondsLeft });
    return true;
  }
}

function limiterOf(plan: string, perSecond: number): RateLimiterMemory {
  return new RateLimiterMemory({ keyPrefix: plan, points: perSecond * BURST_SECONDS, duration: BURST_SECONDS });
}

/** The library rejects with the standing of a key that is over its limit. */
async function consume(limiter: RateLimiterMemory, key: string): Promise<{ standing: RateLimiterRes; refused: boolean }> {
  try {
    return { standing: await limiter.consume(key), refused: false };
  } catch (standing) {
    if (standing instanceof RateLimiterRes) return { standing, refused: true };
    throw standing;
  }
}
