import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HubError } from '#kernel/errors/errors.js';

/** What one address may send in ten seconds. Valid deliveries are shed only far above what any provider sends. */
const VALID = { points: 2_000, duration: 10 };
/** Deliveries with a wrong signature, and knocks at addresses that are none, from one place. */
const REFUSED = { points: 100, duration: 10 };

/**
 * Counts deliveries in this process, by connection. Refused ones are counted apart and change only their own answer:
 * forgeries must not shed valid deliveries that come from the same place, as behind a proxy all do.
 */
export class InboundLimits {
  private readonly valid = new RateLimiterMemory({ keyPrefix: 'valid', ...VALID });
  private readonly refused = new RateLimiterMemory({ keyPrefix: 'refused', ...REFUSED });

  /** Counts a delivery whose signature is right. @throws HubError `rate_limited` above the hard cap */
  async countValid(connectionId: string): Promise<void> {
    await this.valid.consume(connectionId).catch(tooMany);
  }

  /** Counts one that was refused. @throws HubError `rate_limited` */
  async countRefused(from: string): Promise<void> {
    await this.refused.consume(from).catch(tooMany);
  }
}

function tooMany(standing: unknown): never {
  if (!(standing instanceof RateLimiterRes)) throw standing;
  throw new HubError('rate_limited', {
    detail: 'Too many deliveries to this address; send them again later.',
    retryAfterSeconds: Math.max(1, Math.ceil(standing.msBeforeNext / 1000)),
  });
}
