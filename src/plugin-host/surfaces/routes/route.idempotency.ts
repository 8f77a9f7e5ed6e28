import { Injectable, Logger } from '@nestjs/common';
import { runDetached } from '#kernel/request-context.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, toErasedResponseError } from '#kernel/idempotency/idempotency-store.js';
import { errorMessage } from '#kernel/telemetry/throttled-logger.js';
import { UnsealError, type SecretContext, SecretBox } from '#kernel/secrets/secret-box.js';
import { HandlerTimeoutError } from '../../container/deadline.js';

/** Status of a claimed key without a response yet; no HTTP response has it. */
const STATUS_IN_PROGRESS = 0;
/** How long after its timeout a call counts as lost with its process, in seconds. */
const STALE_GRACE_SECONDS = 30;

/**
 * Claims a key, or reclaims one whose call was lost. $1 workspace, $2 key, $3 request hash, $4 seconds until it counts
 * as lost.
 */
const CLAIM_KEY = `
  INSERT INTO idempotency_keys AS stored (workspace_id, key, request_hash, status, body)
  VALUES ($1, $2, $3, ${STATUS_IN_PROGRESS}, 'null')
  ON CONFLICT (workspace_id, key) DO UPDATE SET created_at = now()
  WHERE stored.status = ${STATUS_IN_PROGRESS} AND stored.request_hash = excluded.request_hash
    AND stored.created_at < now() - make_interval(secs => $4)
  RETURNING key`;

/** A call of a route that may change data. */
export interface IdempotentRouteCall {
  readonly workspaceId: string;
  readonly key: IdempotencyKey | undefined;
  /** How long its handler may take, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Stores responses of plugin routes by Idempotency-Key. A handler may take minutes and uses transactions of its own, so
 * none is held open: one transaction claims the key and another one saves the response. The body is sealed, because a
 * route may return a secret that is shown only once.
 */
@Injectable()
export class RouteIdempotency {
  private readonly log = new Logger('plugins');

  constructor(
    private readonly work: UnitOfWork,
    private readonly box: SecretBox,
  ) {}

  /**
   * Runs `write` once per key. An error or a response of 500 and above releases the key. A handler that timed out may
   * still be running, so its key stays claimed until the call counts as lost.
   * @throws HubError `idempotency_conflict`, `idempotency_in_progress`, and the errors of `write`
   */
  async runOnce<Body>(
    call: IdempotentRouteCall,
    write: () => Promise<HandlerResponse<Body>>,
  ): Promise<HandlerResponse<Body>> {
    const { workspaceId, key, timeoutMs } = call;
    if (!key) return write();
    const replay = await this.work.run(workspaceId, tx => this.claim<Body>(tx, key, timeoutMs));
    if (replay) return replay;
    let response: HandlerResponse<Body> | undefined;
    try {
      return (response = await write());
    } catch (error) {
      if (error instanceof HubError && error.cause instanceof HandlerTimeoutError) throw error;
      await this.finish(call, key.key);
      throw error;
    } finally {
      if (response) await this.finish(call, key.key, response);
    }
  }

  /**
   * Saves the response or releases the key. Never rejects: the call has taken effect, so the caller gets its response.
   */
  private async finish(
    { workspaceId }: IdempotentRouteCall,
    key: string,
    response?: HandlerResponse<unknown>,
  ): Promise<void> {
    const params = [workspaceId, key, STATUS_IN_PROGRESS];
    const where = 'WHERE workspace_id = $1 AND key = $2 AND status = $3';
    const isStored = response !== undefined && response.status < 500;
    const finishing = runDetached(() =>
      this.work.run(workspaceId, async tx =>
        isStored
          ? tx.deferToCommit(`UPDATE idempotency_keys SET status = $4, body = $5 ${where}`, [
              ...params,
              response.status,
              JSON.stringify(
                this.box.seal(toRouteResponsePlace(workspaceId, key), JSON.stringify({ body: response.body })),
              ),
            ])
          : tx.deferToCommit(`DELETE FROM idempotency_keys ${where}`, params),
      ),
    );
    await finishing.catch(error =>
      this.log.warn(`The response of an Idempotency-Key could not be saved: ${errorMessage(error)}`),
    );
  }

  /** Claims a key. @returns the stored response, or undefined if the key is now claimed by this call */
  private async claim<Body>(
    tx: Tx,
    { key, requestHash }: IdempotencyKey,
    timeoutMs: number,
  ): Promise<HandlerResponse<Body> | undefined> {
    const claimed = await tx.query(CLAIM_KEY, [tx.workspace, key, requestHash, timeoutMs / 1000 + STALE_GRACE_SECONDS]);
    if (claimed.length > 0) return undefined;
    const [stored] = await tx.query<{ hash: Buffer; status: number; body: string }>(
      'SELECT request_hash AS hash, status, body FROM idempotency_keys WHERE workspace_id = $1 AND key = $2',
      [tx.workspace, key],
    );
    if (stored?.hash.length === 0) throw toErasedResponseError();
    if (stored && !stored.hash.equals(requestHash)) throw new HubError('idempotency_conflict');
    if (!stored || stored.status === STATUS_IN_PROGRESS)
      throw new HubError('idempotency_in_progress', { retryAfterSeconds: 1 });
    return new HandlerResponse(
      this.openBody(toRouteResponsePlace(tx.workspace, key), stored.body).body as Body,
      stored.status,
      true,
    );
  }

  private openBody(place: SecretContext, sealed: string): { readonly body?: unknown } {
    try {
      return JSON.parse(this.box.open(place, sealed)) as { readonly body?: unknown };
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      const detail =
        'The stored response was sealed with a key that SECRET_KEYS no longer has: send another Idempotency-Key.';
      throw new HubError('idempotency_conflict', { detail, cause: error });
    }
  }
}

/** Returns the authenticated context under which the response of a plugin route is sealed. */
export function toRouteResponsePlace(workspace: string, key: string): SecretContext {
  return { workspace, owner: 'idempotency-keys', field: key };
}
