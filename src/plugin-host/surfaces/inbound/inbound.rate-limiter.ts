import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HubError } from '#kernel/errors/hub-error.js';

/** Valid deliveries of one connection in ten seconds: far above the volume of any provider. */
const VALID_LIMIT = { points: 2_000, duration: 10 };
/** Deliveries with a wrong signature or to an unknown address, from one IP address in ten seconds. */
const REJECTED_LIMIT = { points: 100, duration: 10 };

/**
 * Limits deliveries in this process. Valid ones are counted by connection, rejected ones by IP address: behind a proxy
 * all senders share an address, and forged deliveries must not block valid ones.
 */
export class InboundRateLimiter {
  private readonly valid = new RateLimiterMemory({ keyPrefix: 'valid', ...VALID_LIMIT });
  private readonly rejected = new RateLimiterMemory({ keyPrefix: 'rejected', ...REJECTED_LIMIT });

  /** Counts a delivery with a valid signature. @throws HubError `rate_limited` above the limit */
  async countValid(connectionId: string): Promise<void> {
    await this.valid.consume(connectionId).catch(throwRateLimited);
  }

  /** Counts a rejected delivery. @throws HubError `rate_limited` above the limit */
  async countRejected(clientAddress: string): Promise<void> {
    await this.rejected.consume(clientAddress).catch(throwRateLimited);
  }
}

function throwRateLimited(result: unknown): never {
  if (!(result instanceof RateLimiterRes)) throw result;
  throw new HubError('rate_limited', {
    detail: 'Too many deliveries to this address; send them again later.',
    retryAfterSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  });
}
