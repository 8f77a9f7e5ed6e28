import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import '#kernel/auth/current-caller.decorator.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { HubError } from '#kernel/errors/hub-error.js';

/** Seconds of quota that a key may use at once. */
const BURST_SECONDS = 5;

/**
 * Limits every API key to the requests per second of its plan, counted over five seconds, so that spikes of five
 * times as many are possible. Counts in this process: several API processes allow several times as much. Must run
 * after the guard that sets the caller; requests without a caller pass.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly limiters: ReadonlyMap<string, RateLimiterMemory>;

  constructor(@Inject(ENV) { rateLimits }: Env) {
    const limited = Object.entries(rateLimits).filter(([, perSecond]) => perSecond > 0);
    this.limiters = new Map(limited.map(([plan, perSecond]) => [plan, createLimiter(plan, perSecond)]));
  }

  /** @throws HubError `rate_limited` with the seconds to wait. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { caller } = context.getArgByIndex<FastifyRequest>(0);
    const limiter = caller && this.limiters.get(caller.plan);
    if (!limiter) return true;
    const reply = context.getArgByIndex<FastifyReply>(1);
    return limiter.consume(caller.actor.id).then(
      usage => setRateLimitHeaders(reply, limiter, usage),
      usage => rejectRateLimited(reply, limiter, usage),
    );
  }
}

function setRateLimitHeaders(reply: FastifyReply, limiter: RateLimiterMemory, usage: RateLimiterRes): true {
  reply.header('ratelimit-limit', limiter.points);
  reply.header('ratelimit-remaining', usage.remainingPoints);
  reply.header('ratelimit-reset', toSecondsLeft(usage));
  return true;
}

/** Rejects the request; the library rejects its promise with the state of a key that is over its limit. */
function rejectRateLimited(reply: FastifyReply, limiter: RateLimiterMemory, usage: unknown): never {
  if (!(usage instanceof RateLimiterRes)) throw usage;
  setRateLimitHeaders(reply, limiter, usage);
  throw new HubError('rate_limited', { retryAfterSeconds: toSecondsLeft(usage) });
}

function toSecondsLeft({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}

function createLimiter(plan: string, perSecond: number): RateLimiterMemory {
  return new RateLimiterMemory({ keyPrefix: plan, points: perSecond * BURST_SECONDS, duration: BURST_SECONDS });
}
