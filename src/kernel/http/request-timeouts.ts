import type { FastifyInstance, FastifyReply } from 'fastify';
import { HubError } from '#kernel/errors/hub-error.js';

const SWEEP_INTERVAL_MS = 250;

/**
 * Responds with 503 to requests that exceed their time limit. Checking the oldest ones four times a second costs far
 * less than a timer for each request.
 */
export class RequestTimeouts {
  /**
   * Deadline of each open request in milliseconds of `performance.now()`. All have the same time limit, so the oldest
   * come first.
   */
  private readonly openRequests = new Map<FastifyReply, number>();

  constructor(
    fastify: FastifyInstance,
    private readonly timeoutMs: number,
  ) {
    const sweep = setInterval(() => this.expire(performance.now()), SWEEP_INTERVAL_MS).unref();
    fastify.addHook('onClose', (_, done) => {
      clearInterval(sweep);
      done();
    });
  }

  /** Starts the time limit of a request. */
  start(reply: FastifyReply, now: number): void {
    this.openRequests.set(reply, now + this.timeoutMs);
  }

  /** Removes a request that has its response. */
  finish(reply: FastifyReply): void {
    this.openRequests.delete(reply);
  }

  /** Also removes requests whose client has disconnected. */
  private expire(now: number): void {
    for (const [reply, overdueAt] of this.openRequests) {
      if (overdueAt > now) return;
      this.openRequests.delete(reply);
      if (!reply.sent) reply.send(createTimeoutError());
    }
  }
}

function createTimeoutError(): HubError {
  return HubError.unavailable(
    'The answer took longer than this service allows. With an Idempotency-Key it is safe to send the request again.',
  );
}
