import { Injectable } from '@nestjs/common';
import { Queues } from './queues.js';
import { withTimeout } from '../scheduling/timeout.js';

const PING_TIMEOUT_MS = 1_000;

/**
 * Reports to readiness whether jobs can be queued. API processes work without the queue, because events wait in the
 * database.
 */
@Injectable()
export class QueueHealthIndicator {
  constructor(private readonly queues: Queues) {}

  /** Returns `up` if the server of the queues responds within a second. Never throws. */
  async check(): Promise<'up' | 'down'> {
    try {
      await withTimeout(PING_TIMEOUT_MS, this.queues.ping(), 'the queue server');
      return 'up';
    } catch {
      return 'down';
    }
  }
}
