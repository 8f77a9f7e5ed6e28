import { Inject, Injectable } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { Batcher } from '#kernel/db/batcher.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { RecordBatchWriter } from './record-batch.writer.js';
import type { RecordCall, RecordRequest } from './record-call.js';
import type { RecordResponse } from './observations.presenter.js';

/** One running, one gathering calls, one waiting for the disk. */
const MAX_CONCURRENT_BATCHES = 3;
const MAX_CALLS_PER_TRANSACTION = 64;
const MAX_ROWS_PER_TRANSACTION = 1000;
const LINGER_MS = 2;

/** Records observations, for REST, MCP and plugins alike. */
@Injectable()
export class ObservationsService {
  private readonly batcher: Batcher<RecordCall, HandlerResponse<RecordResponse>>;

  constructor(work: UnitOfWork, writer: RecordBatchWriter, @Inject(ENV) env: Env) {
    this.batcher = new Batcher(
      (workspace, calls, terms) =>
        work.run(workspace, tx => writer.write(tx, calls), { ...terms, useGenericPlans: true }),
      {
        maxConcurrent: MAX_CONCURRENT_BATCHES,
        maxBatch: MAX_CALLS_PER_TRANSACTION,
        maxWeight: MAX_ROWS_PER_TRANSACTION,
        lingerMs: LINGER_MS,
        timeoutMs: env.requestTimeoutMs,
      },
    );
  }

  /**
   * Appends observations to the entity of the focus, creates the entity if it does not exist, and recomputes the
   * affected claims before it returns, so that subsequent reads see them. Concurrent calls of one workspace share a
   * transaction.
   * @throws HubError `entity_not_found` for an unknown UUID; `idempotency_conflict`; `unavailable`.
   */
  record(
    workspace: string,
    request: RecordRequest,
    idempotencyKey?: IdempotencyKey,
  ): Promise<HandlerResponse<RecordResponse>> {
    return this.batcher.submit(workspace, { request, idempotencyKey }, request.observations.length);
  }
}
