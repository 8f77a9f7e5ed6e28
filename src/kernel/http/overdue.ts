import type { FastifyInstance, FastifyReply } from 'fastify';
import { HubError } from '#kernel/errors/errors.js';

const SWEEP_MS = 250;

/**
 * Answers 503 for requests that nobody has answered in time. One look at the oldest ones four times a second costs a
 * request next to nothing, where a timer of its own would not.
 */
export class Overdue {
  /** When each open request is overdue, on the clock of `performance.now()`. All wait equally long: oldest first. */
  private readonly open = new Map<FastifyReply, number>();

  constructor(
    fastify: FastifyInstance,
    private readonly patienceMs: number,
  ) {
    const sweep = setInterval(() => this.giveUp(performance.now()), SWEEP_MS).unref();
    fastify.addHook('onClose', (_, done) => {
      clearInterval(sweep);
      done();
    });
  }

  /** A request begins. */
  begin(reply: FastifyReply, now: number): void {
    this.open.set(reply, now + this.patienceMs);
  }

  /** It was answered. */
  end(reply: FastifyReply): void {
    this.open.delete(reply);
  }

  /** Whoever went away without waiting for the answer is forgotten here too. */
  private giveUp(now: number): void {
    for (const [reply, overdueAt] of this.open) {
      if (overdueAt > now) return;
      this.open.delete(reply);
      if (!reply.sent) reply.send(tooLate());
    }
  }
}

function tooLate(): HubError {
  return HubError.unavailable(
    'The answer took longer than this service allows. With an Idempotency-Key it is safe to send the request again.',
  );
}
