import { LockMode } from '@mikro-orm/core';
import type { Transaction } from '#kernel/db/transaction.js';
import { type DeviceRequest, DeviceRequestEntity } from '../oauth.entities.js';

/** A device authorization request as its client polls it. */
export interface PolledRequest {
  readonly request: DeviceRequest;
  readonly isExpired: boolean;
  /** Whether the client polled before its interval had passed. */
  readonly isPollingTooFast: boolean;
}

const MICROSECONDS_PER_SECOND = 1_000_000;
/** Maximum number of pending requests, against flooding. */
const MAX_PENDING_REQUESTS = 10_000;
/** Allows for jitter: a client that respects its interval may arrive slightly early. */
const POLL_TOLERANCE_SECONDS = 1;

/** A request to insert. */
export type NewDeviceRequest = Pick<
  DeviceRequest,
  | 'id'
  | 'userCode'
  | 'deviceHash'
  | 'clientId'
  | 'clientName'
  | 'clientHost'
  | 'scopes'
  | 'address'
  | 'secondsBetweenPolls'
>;

/** Inserts a request that expires in `ttlSeconds`. @returns false if its user code exists, or too many are pending */
export async function insertDeviceRequest(
  tx: Transaction,
  request: NewDeviceRequest,
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
  const em = await tx.entityManager();
  const where = { userCode, decision: null, expiresAt: { $gt: await tx.now() } };
  return (await em.findOne(DeviceRequestEntity, where)) ?? undefined;
}

/**
 * Decides a pending request, once.
 * @param workspace workspace of the approver; null denies
 * @returns whether it was pending
 */
export async function decideRequest(tx: Transaction, id: string, workspace: string | null): Promise<boolean> {
  const em = await tx.entityManager();
  const pending = { id, decision: null, expiresAt: { $gt: await tx.now() } };
  const decision = workspace === null ? ('denied' as const) : ('approved' as const);
  return (await em.nativeUpdate(DeviceRequestEntity, pending, { decision, decidedWorkspaceId: workspace })) > 0;
}

/**
 * Finds a request for its client and records the poll; polling too fast adds 5 s to the interval (RFC 8628, section
 * 3.5).
 */
export async function pollRequest(tx: Transaction, deviceHash: Buffer): Promise<PolledRequest | undefined> {
  const em = await tx.entityManager();
  const request = await em.findOne(DeviceRequestEntity, { deviceHash }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!request) return undefined;
  const now = await tx.now();
  const earliestPoll =
    request.polledAt == null
      ? now
      : request.polledAt + (request.secondsBetweenPolls - POLL_TOLERANCE_SECONDS) * MICROSECONDS_PER_SECOND;
  const isPollingTooFast = now < earliestPoll;
  request.polledAt = now;
  if (isPollingTooFast && request.decision === null) request.secondsBetweenPolls += 5;
  await em.flush();
  return { request, isExpired: request.expiresAt <= now, isPollingTooFast };
}
