import { Injectable, Logger } from '@nestjs/common';
import { runDetached } from '#kernel/request-context.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/handler-response.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { errorMessage } from '#kernel/telemetry/throttled-logger.js';
import { UnsealError, type SecretContext } from '#kernel/secrets/sealed-text.js';
import { SecretBox } from '#kernel/secrets/secret-box.js';
import { HandlerTimeoutError } from '../../container/deadline.js';

/** Stands for an answer that is being worked on; no answer has this status. */
const STATUS_IN_PROGRESS = 0;
/** How long after its time a call is thought to have died with its process, in seconds. */
const STALE_GRACE_SECONDS = 30;

/** Takes a key, or one whose holder has died. $1 workspace, $2 key, $3 hash of the request, $4 seconds. */
const CLAIM_KEY = `
  INSERT INTO idempotency_keys AS stored (workspace_id, key, request_hash, status, body)
  VALUES ($1, $2, $3, ${STATUS_IN_PROGRESS}, 'null')
  ON CONFLICT (workspace_id, key) DO UPDATE SET created_at = now()
  WHERE stored.status = ${STATUS_IN_PROGRESS} AND stored.request_hash = excluded.request_hash
    AND stored.created_at < now() - make_interval(secs => $4)
  RETURNING key`;

/** A call of a route that changes something. */
export interface IdempotentRouteCall {
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
export class RouteIdempotency {
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
  async runOnce(
    call: IdempotentRouteCall,
    write: () => Promise<HandlerResponse<unknown>>,
  ): Promise<HandlerResponse<unknown>> {
    const { workspaceId, key, timeoutMs } = call;
    if (!key) return write();
    const replay = await this.work.run(workspaceId, tx => this.claim(tx, key, timeoutMs));
    if (replay) return replay;
    let answer: HandlerResponse<unknown> | undefined;
    try {
      return (answer = await write());
    } catch (error) {
      if (error instanceof HubError && error.cause instanceof HandlerTimeoutError) throw error;
      await this.finish(call, key.key);
      throw error;
    } finally {
      if (answer) await this.finish(call, key.key, answer);
    }
  }

  /** The effect is there whether its answer can be kept or not, so the caller gets it in any case. */
  private async finish(
    { workspaceId }: IdempotentRouteCall,
    key: string,
    answer?: HandlerResponse<unknown>,
  ): Promise<void> {
    const params = [workspaceId, key, STATUS_IN_PROGRESS];
    const where = 'WHERE workspace_id = $1 AND key = $2 AND status = $3';
    const isStored = answer !== undefined && answer.status < 500;
    const ending = runDetached(() =>
      this.work.run(workspaceId, async tx =>
        isStored
          ? tx.deferToCommit(`UPDATE idempotency_keys SET status = $4, body = $5 ${where}`, [
              ...params,
              answer.status,
              JSON.stringify(this.box.seal(toSecretPlace(workspaceId, key), JSON.stringify({ body: answer.body }))),
            ])
          : tx.deferToCommit(`DELETE FROM idempotency_keys ${where}`, params),
      ),
    );
    await ending.catch(error => this.log.warn(`The answer to an Idempotency-Key is lost: ${errorMessage(error)}`));
  }

  /** @returns the answer that was given before; undefined when the key is ours. */
  private async claim(tx: Tx, { key, requestHash }: IdempotencyKey, timeoutMs: number) {
    const claimed = await tx.query(CLAIM_KEY, [tx.workspace, key, requestHash, timeoutMs / 1000 + STALE_GRACE_SECONDS]);
    if (claimed.length > 0) return undefined;
    const [stored] = await tx.query<{ hash: Buffer; status: number; body: string }>(
      'SELECT request_hash AS hash, status, body FROM idempotency_keys WHERE workspace_id = $1 AND key = $2',
      [tx.workspace, key],
    );
    if (stored && !stored.hash.equals(requestHash)) throw new HubError('idempotency_conflict');
    if (!stored || stored.status === STATUS_IN_PROGRESS)
      throw new HubError('idempotency_in_progress', { retryAfterSeconds: 1 });
    return new HandlerResponse(this.openBody(toSecretPlace(tx.workspace, key), stored.body).body, stored.status, true);
  }

  private openBody(place: SecretContext, sealed: string): { readonly body?: unknown } {
    try {
      return JSON.parse(this.box.open(place, sealed)) as { readonly body?: unknown };
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      const detail =
        'The first answer was sealed with a key that SECRET_KEYS lacks by now: send another Idempotency-Key.';
      throw new HubError('idempotency_conflict', { detail, cause: error });
    }
  }
}

function toSecretPlace(workspace: string, key: string): SecretContext {
  return { workspace, owner: 'idempotency-keys', field: key };
}
