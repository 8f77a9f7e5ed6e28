import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HubError } from '#kernel/errors/hub-error.js';

const WINDOW_SECONDS = 600;
/** Wrong user codes and API keys from one address: too few to guess one of 2.5 × 10¹⁰ codes. */
const MAX_FAILED_ATTEMPTS = 20;
/** Requests from one address that store a row or fetch a document. */
const MAX_REQUESTS = 200;

/** Limits unauthenticated callers by IP address, per process. Behind a proxy, all callers may share an address. */
@Injectable()
export class OAuthRateLimiter {
  private readonly failedAttempts = new RateLimiterMemory({
    keyPrefix: 'failed-attempt',
    points: MAX_FAILED_ATTEMPTS,
    duration: WINDOW_SECONDS,
  });
  private readonly requests = new RateLimiterMemory({
    keyPrefix: 'request',
    points: MAX_REQUESTS,
    duration: WINDOW_SECONDS,
  });

  /** Counts a request that stores a row or fetches a document. @throws HubError `rate_limited` */
  async countRequest(address: string): Promise<void> {
    await this.requests.consume(address).catch(throwRateLimited);
  }

  /** Rejects an address with too many failed attempts, even for a correct one. @throws HubError `rate_limited` */
  async checkAttempts(address: string): Promise<void> {
    const result = await this.failedAttempts.get(address);
    if (result && result.consumedPoints >= MAX_FAILED_ATTEMPTS) throwRateLimited(result);
  }

  /** Counts a failed attempt. */
  async countFailedAttempt(address: string): Promise<void> {
    await this.failedAttempts.penalty(address, 1);
  }
}

function throwRateLimited(result: unknown): never {
  if (!(result instanceof RateLimiterRes)) throw result;
  throw new HubError('rate_limited', {
    detail: 'Too many attempts from this address. Wait a few minutes.',
    retryAfterSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  });
}
