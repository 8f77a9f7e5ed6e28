import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HubError } from '#kernel/errors/hub-error.js';
import { toNetwork } from '#kernel/limits/client-address.js';

const WINDOW_SECONDS = 600;
/** Requests of one network that store a row or fetch a document. */
const MAX_REQUESTS = 200;

/** Limits what a network may make the hub store or fetch, per process and before the database is read. */
@Injectable()
export class OAuthRateLimiter {
  private readonly requests = new RateLimiterMemory({
    keyPrefix: 'request',
    points: MAX_REQUESTS,
    duration: WINDOW_SECONDS,
  });

  /** Counts a request that stores a row or fetches a document. @throws HubError `rate_limited` */
  async countRequest(address: string): Promise<void> {
    await this.requests.consume(toNetwork(address)).catch(throwRateLimited);
  }
}

function throwRateLimited(result: unknown): never {
  if (!(result instanceof RateLimiterRes)) throw result;
  throw new HubError('rate_limited', {
    detail: 'Too many sign-ins and registrations from this network. Wait a few minutes.',
    retryAfterSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  });
}
