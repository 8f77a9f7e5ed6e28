import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HubError } from '#kernel/errors/hub-error.js';
import { toNetwork } from '#kernel/limits/client-address.js';
import type { HeldResponses } from '#kernel/limits/held-responses.js';

/** Valid deliveries of one connection in ten seconds: far above the volume of any provider. */
const VALID_LIMIT = { points: 2_000, duration: 10 };
/** Deliveries with a wrong signature or to an unknown address, from one network in a minute. */
const REJECTED_LIMIT = { points: 100, duration: 60 };

/** Limits deliveries in this process: valid ones by connection, rejected ones by network. */
export class InboundRateLimiter {
  private readonly valid = new RateLimiterMemory({ keyPrefix: 'valid', ...VALID_LIMIT });
  private readonly rejected = new RateLimiterMemory({ keyPrefix: 'rejected', ...REJECTED_LIMIT });

  constructor(private readonly responses: HeldResponses) {}

  /**
   * Refuses a network that sent too many rejected deliveries.
   * @param isGenuine returns whether the delivery is certainly valid; called only for such a network
   * @throws HubError `rate_limited`
   */
  async admit(clientAddress: string, isGenuine: () => boolean): Promise<void> {
    const network = toNetwork(clientAddress);
    const usage = await this.rejected.get(network);
    if (usage && usage.consumedPoints >= REJECTED_LIMIT.points && !isGenuine()) await this.refuse(network, usage);
  }

  /** Counts a delivery with a valid signature. @throws HubError `rate_limited` above the limit */
  async countValid(connectionId: string): Promise<void> {
    await this.valid.consume(connectionId).catch(throwRateLimited);
  }

  /** Counts a rejected delivery. @throws HubError `rate_limited` above the limit */
  async countRejected(clientAddress: string): Promise<void> {
    const network = toNetwork(clientAddress);
    await this.rejected.consume(network).catch(usage => this.refuse(network, usage));
  }

  private async refuse(network: string, usage: unknown): Promise<never> {
    await this.responses.hold(network);
    return throwRateLimited(usage);
  }
}

function throwRateLimited(result: unknown): never {
  if (!(result instanceof RateLimiterRes)) throw result;
  throw new HubError('rate_limited', {
    detail: 'Too many deliveries to this address; send them again later.',
    retryAfterSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  });
}
