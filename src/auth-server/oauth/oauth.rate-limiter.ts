import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HubError } from '#kernel/errors/hub-error.js';

const WINDOW_SECONDS = 600;
/** User codes and keys that do not fit, from one address. Of 2.5 × 10¹⁰ codes, that finds none. */
const MAX_FAILED_ATTEMPTS = 20;
/** Rows that strangers may have us keep, and documents that they may have us fetch, from one address. */
const MAX_REQUESTS = 200;

/** Bounds what strangers may try and cause, by address and process. Behind a proxy all of them have one address. */
@Injectable()
export class OAuthRateLimiter {
  private readonly failedAttempts = new RateLimiterMemory({
    keyPrefix: 'wrong',
    points: MAX_FAILED_ATTEMPTS,
    duration: WINDOW_SECONDS,
  });
  private readonly requests = new RateLimiterMemory({
    keyPrefix: 'asked',
    points: MAX_REQUESTS,
    duration: WINDOW_SECONDS,
  });

  /** Counts something that costs us a row or a fetch. @throws HubError `rate_limited` */
  async countRequest(address: string): Promise<void> {
    await this.requests.consume(address).catch(throwRateLimited);
  }

  /** Stands before every guess: who was wrong too often may not even be right. @throws HubError `rate_limited` */
  async checkAttempts(address: string): Promise<void> {
    const result = await this.failedAttempts.get(address);
    if (result && result.consumedPoints >= MAX_FAILED_ATTEMPTS) throwRateLimited(result);
  }

  /** Counts a guess that was wrong. */
  async countFailedAttempt(address: string): Promise<void> {
    await this.failedAttempts.penalty(address, 1);
  }
}

function throwRateLimited(result: unknown): never {
  if (!(result instanceof RateLimiterRes)) throw result;
  throw new HubError('rate_limited', {
    detail: 'Too many attempts from this address; wait some minutes.',
    retryAfterSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  });
}
