import type { FastifyInstance, FastifyReply } from 'fastify';
import { HubError } from '#kernel/errors/hub-error.js';

const SWEEP_INTERVAL_MS = 250;

/**
 * Answers 503 for requests that nobody has answered in time. One look at the oldest ones four times a second costs a
 * request next to nothing, where a timer of its own would not.
 */
export class RequestTimeouts {
  /** When each open request is overdue, on the clock of `performance.now()`. All wait equally long: oldest first. */
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

  /** A request begins. */
  start(reply: FastifyReply, now: number): void {
    this.openRequests.set(reply, now + this.timeoutMs);
  }

  /** It was answered. */
  finish(reply: FastifyReply): void {
    this.openRequests.delete(reply);
  }

  /** Whoever went away without waiting for the answer is forgotten here too. */
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
