import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HubError } from '#kernel/errors/hub-error.js';

/** What one address may send in ten seconds. Valid deliveries are shed only far above what any provider sends. */
const VALID_LIMIT = { points: 2_000, duration: 10 };
/** Deliveries with a wrong signature, and knocks at addresses that are none, from one place. */
const REJECTED_LIMIT = { points: 100, duration: 10 };

/**
 * Counts deliveries in this process, by connection. Refused ones are counted apart and change only their own answer:
 * forgeries must not shed valid deliveries that come from the same place, as behind a proxy all do.
 */
export class InboundRateLimiter {
  private readonly valid = new RateLimiterMemory({ keyPrefix: 'valid', ...VALID_LIMIT });
  private readonly rejected = new RateLimiterMemory({ keyPrefix: 'refused', ...REJECTED_LIMIT });

  /** Counts a delivery whose signature is right. @throws HubError `rate_limited` above the hard cap */
  async countValid(connectionId: string): Promise<void> {
    await this.valid.consume(connectionId).catch(throwRateLimited);
  }

  /** Counts one that was refused. @throws HubError `rate_limited` */
  async countRejected(from: string): Promise<void> {
    await this.rejected.consume(from).catch(throwRateLimited);
  }
}

function throwRateLimited(result: unknown): never {
  if (!(result instanceof RateLimiterRes)) throw result;
  throw new HubError('rate_limited', {
    detail: 'Too many deliveries to this address; send them again later.',
    retryAfterSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  });
}
