import type { Instant } from '#domain/time/instant.js';
import type { Scope } from '#kernel/auth/caller.js';
import type { Transaction } from '#kernel/db/transaction.js';

/** The sign-in of a device that waits for an answer, or has one. */
export interface DeviceRequest {
  readonly id: string;
  readonly userCode: string;
  readonly deviceHash: Buffer;
  readonly clientId: string;
  readonly clientName: string;
  /** Host that vouches for the client; null for a name that it gave itself. */
  readonly clientHost: string | null;
  readonly scopes: Scope[];
  /** Whoever asked for it: an IP address. */
  readonly address: string;
  readonly secondsBetweenPolls: number;
  readonly decision: 'approved' | 'denied' | null;
  /** Workspace of the key that approved; null unless approved. */
  readonly decidedWorkspaceId: string | null;
  readonly expiresAt: Instant;
}

/** The sign-in of a device as its client asks after it. */
export interface PolledRequest extends DeviceRequest {
  readonly isExpired: boolean;
  /** Whether the client polls again before its interval has passed. */
  readonly isPollingTooFast: boolean;
}

/** More than these do not wait at a time: whoever floods us gets no room. */
const MAX_PENDING_REQUESTS = 10_000;
/** A client that keeps to the interval may yet arrive a little early. */
const POLL_TOLERANCE_SECONDS = 1;

const COLUMNS = `id, user_code AS "userCode", device_hash AS "deviceHash", client_id AS "clientId",
  client_name AS "clientName", client_host AS "clientHost", scopes, address,
  seconds_between_polls AS "secondsBetweenPolls", decision, decided_workspace_id AS "decidedWorkspaceId", expires_at AS "expiresAt"`;

/** Keeps a new one for `lifeSeconds`. @returns false when its user code is taken, or too many wait already */
export async function insertDeviceRequest(
  tx: Transaction,
  request: Omit<DeviceRequest, 'decision' | 'decidedWorkspaceId' | 'expiresAt'>,
  ttlSeconds: number,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO oauth_device_requests (id, user_code, device_hash, client_id, client_name, client_host, scopes, address,
       seconds_between_polls, expires_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(secs => $10)
     WHERE (SELECT count(*) FROM oauth_device_requests WHERE expires_at > now()) < ${MAX_PENDING_REQUESTS}
     ON CONFLICT DO NOTHING RETURNING id`,
    [
      request.id,
      request.userCode,
      request.deviceHash,
      request.clientId,
      request.clientName,
      request.clientHost,
      request.scopes,
      request.address,
      request.secondsBetweenPolls,
      ttlSeconds,
    ],
  );
  return rows.length > 0;
}

/** The one that still waits for an answer under this code. */
export async function findPendingRequest(tx: Transaction, userCode: string): Promise<DeviceRequest | undefined> {
  const [row] = await tx.query<DeviceRequest>(
    `SELECT ${COLUMNS} FROM oauth_device_requests WHERE user_code = $1 AND decision IS NULL AND expires_at > now()`,
    [userCode],
  );
  return row;
}

/** Answers one, once. @param workspace of whoever approves; null denies @returns whether it still waited */
export async function decideRequest(tx: Transaction, id: string, workspace: string | null): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE oauth_device_requests SET decision = $2, decided_workspace_id = $3
     WHERE id = $1 AND decision IS NULL AND expires_at > now() RETURNING id`,
    [id, workspace === null ? 'denied' : 'approved', workspace],
  );
  return rows.length > 0;
}

/** Looks one up for its client and notes the question; a hasty client has to wait five seconds longer from now on. */
export async function pollRequest(tx: Transaction, deviceHash: Buffer): Promise<PolledRequest | undefined> {
  const [row] = await tx.query<PolledRequest>(
    `SELECT ${COLUMNS}, expires_at <= now() AS "isExpired",
       coalesce(polled_at > now() - make_interval(secs => seconds_between_polls - ${POLL_TOLERANCE_SECONDS}), false) AS "isPollingTooFast"
     FROM oauth_device_requests WHERE device_hash = $1 FOR UPDATE`,
    [deviceHash],
  );
  if (!row) return undefined;
  const [after] = await tx.query<{ seconds: number }>(
    `UPDATE oauth_device_requests SET polled_at = now(), seconds_between_polls = seconds_between_polls + $2
     WHERE id = $1 RETURNING seconds_between_polls AS seconds`,
    [row.id, row.isPollingTooFast && row.decision === null ? 5 : 0],
  );
  return { ...row, secondsBetweenPolls: after!.seconds };
}
