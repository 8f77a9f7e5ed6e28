import { Injectable, Logger } from '@nestjs/common';
import { outsideRequest } from '#kernel/context/request-context.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { Answered } from '#kernel/idempotency/answered.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { reasonOf } from '#kernel/queue/sparing.log.js';
import { CannotOpen, type SecretPlace } from '#kernel/secrets/sealed.js';
import { SecretBox } from '#kernel/secrets/secret-box.js';
import { OutOfTime } from '../cell/limit.js';

/** Stands for an answer that is being worked on; no answer has this status. */
const AT_WORK = 0;
/** How long after its time a call is thought to have died with its process, in seconds. */
const GRACE_SECONDS = 30;

/** Takes a key, or one whose holder has died. $1 workspace, $2 key, $3 hash of the request, $4 seconds. */
const CLAIM = `
  INSERT INTO idempotency_keys AS stored (workspace_id, key, request_hash, status, body)
  VALUES ($1, $2, $3, ${AT_WORK}, 'null')
  ON CONFLICT (workspace_id, key) DO UPDATE SET created_at = now()
  WHERE stored.status = ${AT_WORK} AND stored.request_hash = excluded.request_hash
    AND stored.created_at < now() - make_interval(secs => $4)
  RETURNING key`;

/** A call of a route that changes something. */
export interface RouteCall {
  readonly workspaceId: string;
  readonly key: IdempotencyKey | undefined;
  /** How long its handler may take, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Answers of plugins' routes under an Idempotency-Key. A handler may take minutes and uses transactions of its own, so
 * none is held open meanwhile: the key is taken in one, and the answer kept in another. It is kept sealed: a route may
 * answer with a secret that is shown once.
 */
@Injectable()
export class RouteAnswers {
  private readonly log = new Logger('plugins');

  constructor(
    private readonly work: UnitOfWork,
    private readonly box: SecretBox,
  ) {}

  /**
   * Runs `write` once per key. What it throws, and an answer of 500 and above, frees the key again; a handler that was
   * out of time may still be at it, so its key stays taken until it is thought dead.
   * @throws HubError `idempotency_conflict`, `idempotency_in_progress`, and what `write` throws
   */
  async once(call: RouteCall, write: () => Promise<Answered<unknown>>): Promise<Answered<unknown>> {
    const { workspaceId, key, timeoutMs } = call;
    if (!key) return write();
    const before = await this.work.run(workspaceId, tx => this.claim(tx, key, timeoutMs));
    if (before) return before;
    let answer: Answered<unknown> | undefined;
    try {
      return (answer = await write());
    } catch (error) {
      if (error instanceof HubError && error.cause instanceof OutOfTime) throw error;
      await this.end(call, key.key);
      throw error;
    } finally {
      if (answer) await this.end(call, key.key, answer);
    }
  }

  /** The effect is there whether its answer can be kept or not, so the caller gets it in any case. */
  private async end({ workspaceId }: RouteCall, key: string, answer?: Answered<unknown>): Promise<void> {
    const which = [workspaceId, key, AT_WORK];
    const where = 'WHERE workspace_id = $1 AND key = $2 AND status = $3';
    const isKept = answer !== undefined && answer.status < 500;
    const ending = outsideRequest(() =>
      this.work.run(workspaceId, async tx =>
        isKept
          ? tx.queryWithCommit(`UPDATE idempotency_keys SET status = $4, body = $5 ${where}`, [
              ...which,
              answer.status,
              JSON.stringify(this.box.seal(placeOf(workspaceId, key), JSON.stringify({ body: answer.body }))),
            ])
          : tx.queryWithCommit(`DELETE FROM idempotency_keys ${where}`, which),
      ),
    );
    await ending.catch(error => this.log.warn(`The answer to an Idempotency-Key is lost: ${reasonOf(error)}`));
  }

  /** @returns the answer that was given before; undefined when the key is ours. */
  private async claim(tx: Tx, { key, requestHash }: IdempotencyKey, timeoutMs: number) {
    const claimed = await tx.query(CLAIM, [tx.workspace, key, requestHash, timeoutMs / 1000 + GRACE_SECONDS]);
    if (claimed.length > 0) return undefined;
    const [kept] = await tx.query<{ hash: Buffer; status: number; body: string }>(
      'SELECT request_hash AS hash, status, body FROM idempotency_keys WHERE workspace_id = $1 AND key = $2',
      [tx.workspace, key],
    );
    if (kept && !kept.hash.equals(requestHash)) throw new HubError('idempotency_conflict');
    if (!kept || kept.status === AT_WORK) throw new HubError('idempotency_in_progress', { retryAfterSeconds: 1 });
    return new Answered(this.opened(placeOf(tx.workspace, key), kept.body).body, kept.status, true);
  }

  private opened(place: SecretPlace, sealed: string): { readonly body?: unknown } {
    try {
      return JSON.parse(this.box.open(place, sealed)) as { readonly body?: unknown };
    } catch (error) {
      if (!(error instanceof CannotOpen)) throw error;
      const detail =
        'The first answer was sealed with a key that SECRET_KEYS lacks by now: send another Idempotency-Key.';
      throw new HubError('idempotency_conflict', { detail, cause: error });
    }
  }
}

function placeOf(workspace: string, key: string): SecretPlace {
  return { workspace, owner: 'idempotency-keys', field: key };
}
