import { Readable } from 'node:stream';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import '../auth/auth.decorators.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { computeRequestCost } from '#kernel/limits/request-cost.js';
import { type RateUsage, WorkspaceRateLimiter } from '#kernel/limits/workspace-rate-limiter.js';

/**
 * Limits every workspace to the requests per second of its plan. Must run after the guard that sets the caller;
 * requests without a caller pass, because they are limited by network.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limiter: WorkspaceRateLimiter) {}

  /** @throws HubError `rate_limited` with the seconds to wait. */
  canActivate(context: ExecutionContext): boolean {
    const { caller, body, headers, query } = context.getArgByIndex<FastifyRequest>(0);
    // A file is limited by its size and by the storage of the plan.
    const isUpload = body instanceof Readable;
    const cost = isUpload
      ? 1
      : computeRequestCost(body, Number(headers['content-length'] ?? 0) || 0, (query as { limit?: unknown }).limit);
    const usage = caller && this.limiter.consume(caller, cost);
    if (!usage) return true;
    setRateLimitHeaders(context.getArgByIndex<FastifyReply>(1), usage);
    if (!usage.isAdmitted) throw createRateLimitedError(usage);
    return true;
  }
}

/** Sets the RateLimit headers of a response. */
export function setRateLimitHeaders(reply: FastifyReply, { limit, remaining, secondsToReset }: RateUsage): void {
  reply.header('ratelimit-limit', limit);
  reply.header('ratelimit-remaining', remaining);
  reply.header('ratelimit-reset', secondsToReset);
}

/** Creates the error for a workspace that used its limit. */
export function createRateLimitedError({ secondsToReset }: RateUsage): HubError {
  return new HubError('rate_limited', { retryAfterSeconds: secondsToReset });
}
