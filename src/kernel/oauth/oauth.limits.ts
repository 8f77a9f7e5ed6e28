import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HubError } from '#kernel/errors/errors.js';

const WINDOW_SECONDS = 600;
/** User codes and keys that do not fit, from one address. Of 2.5 × 10¹⁰ codes, that finds none. */
const WRONG = 20;
/** Rows that strangers may have us keep, and documents that they may have us fetch, from one address. */
const ASKED = 200;

/** Bounds what strangers may try and cause, by address and process. Behind a proxy all of them have one address. */
@Injectable()
export class OAuthLimits {
  private readonly wrong = new RateLimiterMemory({ keyPrefix: 'wrong', points: WRONG, duration: WINDOW_SECONDS });
  private readonly asked = new RateLimiterMemory({ keyPrefix: 'asked', points: ASKED, duration: WINDOW_SECONDS });

  /** Counts something that costs us a row or a fetch. @throws HubError `rate_limited` */
  async countAsked(address: string): Promise<void> {
    await this.asked.consume(address).catch(refuse);
  }

  /** Stands before every guess: who was wrong too often may not even be right. @throws HubError `rate_limited` */
  async beforeGuess(address: string): Promise<void> {
    const standing = await this.wrong.get(address);
    if (standing && standing.consumedPoints >= WRONG) refuse(standing);
  }

  /** Counts a guess that was wrong. */
  async countWrong(address: string): Promise<void> {
    await this.wrong.penalty(address, 1);
  }
}

function refuse(standing: unknown): never {
  if (!(standing instanceof RateLimiterRes)) throw standing;
  throw new HubError('rate_limited', {
    detail: 'Too many attempts from this address; wait some minutes.',
    retryAfterSeconds: Math.max(1, Math.ceil(standing.msBeforeNext / 1000)),
  });
}
