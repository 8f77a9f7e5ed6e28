import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { findRetentionProblem, RETENTION_KINDS, type RetentionDays } from '#domain/retention/retention.js';
import { toIso } from '#domain/time/instant.js';
import { recordAct } from '#kernel/audit/audit-log.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import {
  lockRetention,
  readLastRun,
  readRetention,
  type RemovedCounts,
  type RetentionRun,
  saveRetention,
} from './retention.queries.js';

/** The last run in a response. */
export interface PresentedRetentionRun {
  readonly day: string;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly removed: RemovedCounts;
}

/** The settings in a response. */
export interface RetentionResponse {
  readonly days: RetentionDays;
  readonly updated_at: string | null;
  readonly last_run: PresentedRetentionRun | null;
}

/** Reads and changes how long a workspace keeps data. */
@Injectable()
export class RetentionService {
  constructor(private readonly work: UnitOfWork) {}

  /** Returns the settings and the last run. */
  read(workspace: string): Promise<RetentionResponse> {
    return this.work.run(workspace, present);
  }

  /**
   * Changes the given kinds; the next nightly run applies them.
   * @throws HubError `invalid_request` with the kinds that are out of bounds, and if there is none
   */
  change(
    workspace: string,
    changes: Partial<RetentionDays>,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<RetentionResponse>> {
    validateChanges(changes);
    return this.work.run(workspace, tx =>
      runOnce(tx, key, async () => {
        await lockRetention(tx);
        const { days: before } = await readRetention(tx);
        const after = { ...before, ...changes };
        if (!isDeepStrictEqual(before, after)) {
          await saveRetention(tx, after);
          recordAct(tx, { action: 'retention.change', objectId: null, before, after });
        }
        return new HandlerResponse(await present(tx), 200);
      }),
    );
  }
}

/** Converts a run for a response. */
export function presentRun({ day, removed, started_at, finished_at }: RetentionRun): PresentedRetentionRun {
  return {
    day,
    started_at: toIso(started_at),
    finished_at: finished_at === null ? null : toIso(finished_at),
    removed,
  };
}

async function present(tx: Tx): Promise<RetentionResponse> {
  const [{ days, updatedAt }, run] = await Promise.all([readRetention(tx), readLastRun(tx)]);
  return { days, updated_at: updatedAt === null ? null : toIso(updatedAt), last_run: run ? presentRun(run) : null };
}

function validateChanges(changes: Partial<RetentionDays>): void {
  const given = RETENTION_KINDS.filter(kind => changes[kind] !== undefined);
  const problems = given.flatMap(kind => {
    const message = findRetentionProblem(kind, changes[kind]);
    return message === undefined ? [] : [{ field: kind, message }];
  });
  if (given.length === 0) {
    problems.push({ field: RETENTION_KINDS[0], message: `Send at least one of ${RETENTION_KINDS.join(', ')}.` });
  }
  if (problems.length > 0) throw HubError.invalidRequest(problems);
}
