import { Inject, Injectable } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { Coalescer } from '#kernel/db/coalescer.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Answered } from '#kernel/idempotency/answered.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { ObservationWriter } from './observation-writer.js';
import type { RecordCall } from './record-call.js';
import type { RecordRequest } from './record-request.js';
import type { Recorded } from './recorded.js';

/** One that works, one for the calls that have gathered meanwhile, one that waits for the disk. */
const LANES = 3;
const WORTHWHILE = 16;
const CALLS_PER_TRANSACTION = 64;
const ROWS_PER_TRANSACTION = 1000;

/** The only way into the log of observations, whichever door a call came through. */
@Injectable()
export class ObservationsService {
  private readonly writes: Coalescer<RecordCall, Answered<Recorded>>;

  constructor(work: UnitOfWork, writer: ObservationWriter, @Inject(ENV) env: Env) {
    this.writes = new Coalescer(
      (workspace, calls, terms) => work.run(workspace, tx => writer.write(tx, calls), { ...terms, keepPlans: true }),
      {
        lanes: LANES,
        worthwhile: WORTHWHILE,
        calls: CALLS_PER_TRANSACTION,
        weight: ROWS_PER_TRANSACTION,
        timeoutMs: env.requestTimeoutMs,
      },
    );
  }

  /**
   * Appends observations to the entity of the focus, makes the entity if need be, and derives the touched claims
   * again before it answers, so that a read right after sees them. Calls of one workspace that arrive together share
   * a transaction.
   * @throws HubError `entity_not_found` for a UUID that nobody has, `idempotency_conflict`, `unavailable`.
   */
  record(workspace: string, request: RecordRequest, idempotencyKey?: IdempotencyKey): Promise<Answered<Recorded>> {
    return this.writes.submit(workspace, { request, idempotencyKey }, request.observations.length);
  }
}
