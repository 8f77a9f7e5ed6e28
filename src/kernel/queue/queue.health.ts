import { Injectable } from '@nestjs/common';
import { QueueServer } from './queue-server.js';
import { withTimeout } from '../scheduling/timeout.js';

const PING_TIMEOUT_MS = 1_000;

/**
 * Reports to readiness whether jobs can be queued. API processes work without the queue, because events wait in the
 * database.
 */
@Injectable()
export class QueueHealthIndicator {
  constructor(private readonly server: QueueServer) {}

  /** Returns `up` if the server of the queues responds within a second. Never throws. */
  async check(): Promise<'up' | 'down'> {
    try {
      await withTimeout(PING_TIMEOUT_MS, this.server.ping(), 'the queue server');
      return 'up';
    } catch {
      return 'down';
    }
  }
}
