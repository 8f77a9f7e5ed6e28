import type { Instant } from '#domain/time/instant.js';
import type { Scope } from '#kernel/auth/caller.js';
import type { Transaction } from '#kernel/db/transaction.js';

/** A device authorization request, pending or decided. */
export interface DeviceRequest {
  readonly id: string;
  readonly userCode: string;
  readonly deviceHash: Buffer;
  readonly clientId: string;
  readonly clientName: string;
  /** Host that vouches for the client's name; null if the name is unverified. */
  readonly clientHost: string | null;
  readonly scopes: Scope[];
  /** IP address of the requester. */
  readonly address: string;
  readonly secondsBetweenPolls: number;
  readonly decision: 'approved' | 'denied' | null;
  /** Workspace of the key that approved the request; null unless approved. */
  readonly decidedWorkspaceId: string | null;
  readonly expiresAt: Instant;
}

/** A device authorization request as its client polls it. */
export interface PolledRequest extends DeviceRequest {
  readonly isExpired: boolean;
  /** Whether the client polled before its interval had passed. */
  readonly isPollingTooFast: boolean;
}

/** Maximum number of pending requests, against flooding. */
const MAX_PENDING_REQUESTS = 10_000;
/** Allows for jitter: a client that respects its interval may arrive slightly early. */
const POLL_TOLERANCE_SECONDS = 1;

const COLUMNS = `id, user_code AS "userCode", device_hash AS "deviceHash", client_id AS "clientId",
  client_name AS "clientName", client_host AS "clientHost", scopes, address,
  seconds_between_polls AS "secondsBetweenPolls", decision, decided_workspace_id AS "decidedWorkspaceId", expires_at AS "expiresAt"`;

/** Inserts a request that expires in `ttlSeconds`. @returns false if its user code exists, or too many are pending */
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

/** Finds the pending request of a user code. */
export async function findPendingRequest(tx: Transaction, userCode: string): Promise<DeviceRequest | undefined> {
  const [row] = await tx.query<DeviceRequest>(
    `SELECT ${COLUMNS} FROM oauth_device_requests WHERE user_code = $1 AND decision IS NULL AND expires_at > now()`,
    [userCode],
  );
  return row;
}

/**
 * Decides a pending request, once.
 * @param workspace workspace of the approver; null denies
 * @returns whether it was pending
 */
export async function decideRequest(tx: Transaction, id: string, workspace: string | null): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE oauth_device_requests SET decision = $2, decided_workspace_id = $3
     WHERE id = $1 AND decision IS NULL AND expires_at > now() RETURNING id`,
    [id, workspace === null ? 'denied' : 'approved', workspace],
  );
  return rows.length > 0;
}

/**
 * Finds a request for its client and records the poll; polling too fast adds 5 s to the interval (RFC 8628, section
 * 3.5).
 */
export async function pollRequest(tx: Transaction, deviceHash: Buffer): Promise<PolledRequest | undefined> {
  const [row] = await tx.query<PolledRequest>(
    `SELECT ${COLUMNS}, expires_at <= now() AS "isExpired",
       coalesce(polled_at > now() - make_interval(secs => seconds_between_polls - ${POLL_TOLERANCE_SECONDS}), false) AS "isPollingTooFast"
     FROM oauth_device_requests WHERE device_hash = $1 FOR UPDATE`,
    [deviceHash],
  );
  if (!row) return undefined;
  const [updated] = await tx.query<{ seconds: number }>(
    `UPDATE oauth_device_requests SET polled_at = now(), seconds_between_polls = seconds_between_polls + $2
     WHERE id = $1 RETURNING seconds_between_polls AS seconds`,
    [row.id, row.isPollingTooFast && row.decision === null ? 5 : 0],
  );
  return { ...row, secondsBetweenPolls: updated!.seconds };
}
