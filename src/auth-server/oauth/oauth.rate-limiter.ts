import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HubError } from '#kernel/errors/hub-error.js';
import { toNetwork } from '#kernel/limits/client-address.js';
import { HeldResponses } from '#kernel/limits/public-rate-limiter.js';

/** How long failed attempts are remembered after the last one, in milliseconds. */
const MEMORY_MS = 600_000;
const MAX_SUBJECTS = 20_000;
/** Failed attempts whose responses are not delayed. */
const FREE_ATTEMPTS = 5;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
/** Failed attempts of one network that wait for their answer at the same time; more are refused at once. */
const MAX_WAITING = 5;

/**
 * Counts wrong user codes, passwords and API keys by what was tried and by network, in this process. Each response is
 * delayed longer than the one before. Only wrong attempts are delayed or refused: a right code or key passes at once, also after
 * wrong ones of others. A user code is one of 2.5 × 10¹⁰ and lives for ten minutes, and `PUBLIC_RATE_LIMIT` bounds the attempts of a
 * network, so guessing stays hopeless.
 */
@Injectable()
export class FailedAttempts {
  /** Running checks of passwords by network. */
  private readonly checks = new Map<string, number>();
  private readonly failures = new LRUCache<string, number>({ max: MAX_SUBJECTS, ttl: MEMORY_MS });

  constructor(private readonly responses: HeldResponses) {}

  /**
   * Counts a failed attempt, and delays its answer.
   * @param subject what the attempt was made on: a typed user code, or the ID of the request on the page
   * @throws HubError `rate_limited` if several attempts of the network wait already
   */
  async count(subject: string, address: string): Promise<void> {
    const network = toNetwork(address);
    const delayMs = computeDelayMs(Math.max(this.add(`subject ${subject}`), this.add(`network ${network}`)));
    if (delayMs === 0 || (await this.responses.hold(network, delayMs, MAX_WAITING))) return;
    throw new HubError('rate_limited', {
      detail: 'Too many wrong codes or keys. A right one is accepted at any time.',
      retryAfterSeconds: Math.ceil(delayMs / 1_000),
    });
  }

  /**
   * Runs a check of a password that counts its failure here. A network has few at a time, with those that wait for their
   * answer, so that it can neither guess faster than the delays allow nor keep the processors from others.
   * @throws HubError `rate_limited` if the network has {@link MAX_WAITING} already; nothing is checked then
   */
  async check<T>(address: string, work: () => Promise<T>): Promise<T> {
    const network = toNetwork(address);
    const running = this.checks.get(network) ?? 0;
    if (running >= MAX_WAITING)
      throw new HubError('rate_limited', {
        detail: 'Too many sign-ins at a time from this network. Try again in a moment.',
        retryAfterSeconds: 1,
      });
    this.checks.set(network, running + 1);
    try {
      return await work();
    } finally {
      const left = this.checks.get(network)! - 1;
      if (left === 0) this.checks.delete(network);
      else this.checks.set(network, left);
    }
  }

  private add(key: string): number {
    const count = (this.failures.get(key) ?? 0) + 1;
    this.failures.set(key, count);
    return count;
  }
}

/** Returns the delay of the n-th failed attempt: none for the first five, then 0.25 s, doubled each time up to 8 s. */
export function computeDelayMs(failures: number): number {
  return failures <= FREE_ATTEMPTS ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - FREE_ATTEMPTS - 1));
}

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
