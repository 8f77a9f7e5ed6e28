import { Injectable, Optional } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { DAY_US, HOUR_US, type Instant, parseInstant, toIso } from '#domain/time/instant.js';
import { recordAct, recordActOf } from '#kernel/audit/audit-log.js';
import { type Actor, readKeyId } from '#domain/actor/actor.js';
import type { Transaction, Tx } from '#kernel/db/transaction.js';
import { QuotaService } from '#kernel/quotas/quota.service.js';
import { newId } from '#kernel/ids.js';
import { HubError } from '../errors/hub-error.js';
import type { CreateApiKey } from './api-keys.dto.js';
import type { Caller, Scope } from './caller.js';
import { type ApiKey, ApiKeyEntity, type KeyOrigin } from './api-key.entity.js';
import { countLivingKeys, lockKeys, readMaker, revokeDescendants } from './api-keys.queries.js';
import { generateKey } from './key-format.js';

/**
 * Validates the request for a new key. A caller can grant only scopes that it has itself.
 * @throws HubError `forbidden_scope` for a scope that the caller lacks, `invalid_request` for an invalid expiry.
 */
export function toCreateKeyInput(body: CreateApiKey, caller: Caller, now: Instant): CreateKeyInput {
  const scopes = body.scopes ?? ['read', 'write'];
  const missing = scopes.find(scope => !caller.scopes.includes(scope));
  if (missing) throw HubError.missingScope(missing);
  return { name: body.name.trim(), scopes, expiresAt: parseExpiry(body, now), origin: 'api', createdBy: caller.actor };
}

function parseExpiry({ expires_at, expires_in_days }: CreateApiKey, now: Instant): Instant | undefined {
  if (expires_at != null && expires_in_days != null) {
    const message = 'expires_at and expires_in_days say the same; send one of them';
    throw HubError.invalidRequest([{ field: 'expires_at', message }]);
  }
  if (expires_in_days != null) return now + expires_in_days * DAY_US;
  return expires_at == null ? undefined : parseInstant(expires_at);
}

/** Maximum number of keys of a workspace that are neither revoked nor expired. */
export const MAX_LIVING_KEYS = 200;

/** States by which keys are listed. `active`: neither revoked nor expired. */
export const KEY_STATES = ['active', 'expired', 'revoked'] as const;

/** One of {@link KEY_STATES}. */
export type ApiKeyState = (typeof KEY_STATES)[number];

/** Properties of a new key. */
export interface CreateKeyInput {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Absent if the key does not expire on its own; it then expires with the key that creates it. */
  readonly expiresAt?: Instant | undefined;
  readonly origin: KeyOrigin;
  /** Who creates the key, or approves the sign-in that receives it. */
  readonly createdBy: Actor;
  /** Who the audit log names, if it is not `createdBy`: the grant of a sign-in. */
  readonly actor?: Actor;
}

/** A key that was just created. `key` holds the plain key and is not stored anywhere. */
export interface IssuedKey {
  readonly apiKey: ApiKey;
  readonly key: string;
}

/** Selects a page of keys. */
export interface KeyPageRequest {
  readonly state: ApiKeyState;
  /** Maximum number of keys on the page. */
  readonly limit: number;
  /** `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
}

/** A page of keys. */
export interface KeyPage {
  readonly keys: readonly ApiKey[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** How a key is revoked. */
export interface RevokeOptions {
  /** Who revokes, and is checked. Absent for the operator, and for a holder who revokes its own key. */
  readonly caller?: Caller | undefined;
  /** Whether to revoke the keys that descend from it as well. Default false. */
  readonly withDescendants?: boolean | undefined;
}

/** A revoked key. */
export interface RevokedKey {
  readonly id: string;
  readonly revokedAt: Instant;
  /** IDs of the descendants that were revoked with it. */
  readonly descendants: readonly string[];
}

/** A key that takes the place of another one. */
export interface RotatedKey extends IssuedKey {
  /** The other key, which works until its new expiry; revoked already if no grace was given. */
  readonly previous: ApiKey;
}

/** Creates, lists, rotates and revokes the API keys of the workspace of a transaction. */
@Injectable()
export class ApiKeysService {
  /** @param quotas absent for operators, whose keys no quota limits */
  constructor(@Optional() private readonly quotas?: QuotaService) {}

  /**
   * Creates a key. It expires with the key that creates it, or before.
   * @throws HubError `invalid_request` if `expiresAt` is not in the future or is after the expiry of the creating key,
   *   `quota_exceeded`, `unauthorized` if the creating key was revoked or has expired.
   */
  async create(tx: Tx, input: CreateKeyInput): Promise<IssuedKey> {
    await lockKeys(tx);
    const latest = await readLatestExpiry(tx, input.createdBy);
    await this.quotas?.requireRoom(tx, 'api_keys');
    if ((await countLivingKeys(tx)) >= MAX_LIVING_KEYS) throw tooManyKeysError();
    if (latest !== undefined && input.expiresAt !== undefined && input.expiresAt > latest) throw outlivesError(latest);
    return issueKey(tx, tx.workspace, { ...input, expiresAt: input.expiresAt ?? latest });
  }

  /** Lists the keys in a state, newest first. @throws HubError `cursor_mismatch` */
  async list(tx: Tx, { state, limit, cursor }: KeyPageRequest): Promise<KeyPage> {
    const before = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString('latin1');
    if (before !== undefined && !isUuid(before)) throw new HubError('cursor_mismatch');
    const em = await tx.entityManager();
    const where = { workspaceId: tx.workspace, ...matchState(state, await tx.now()) };
    const keys = await em.find(
      ApiKeyEntity,
      { ...where, ...(before !== undefined && { id: { $lt: before } }) },
      { orderBy: { id: 'desc' }, limit: limit + 1 },
    );
    const shown = keys.slice(0, limit);
    const isLast = keys.length <= limit;
    return { keys: shown, nextCursor: isLast ? null : Buffer.from(shown.at(-1)!.id, 'latin1').toString('base64url') };
  }

  /**
   * Issues a key that takes the place of another one, with its name, scopes, creator and expiry. The other one works for
   * `graceHours` more, so that programs can be given the new one without a pause.
   * @throws HubError `not_found` for a key that does not exist or does not work any more, `operator_key`,
   *   `forbidden_scope` for a scope that the caller lacks, `quota_exceeded`
   */
  async rotate(tx: Tx, id: string, caller: Caller, graceHours: number): Promise<RotatedKey> {
    await lockKeys(tx);
    const now = await tx.now();
    const previous = await findKey(tx, id);
    if (previous.revokedAt != null || (previous.expiresAt != null && previous.expiresAt <= now))
      throw new HubError('not_found', { detail: 'This API key was revoked or has expired. Create another one.' });
    checkMayRevoke(caller, previous);
    const missing = previous.scopes.find(scope => !caller.scopes.includes(scope));
    if (missing) throw HubError.missingScope(missing);
    if ((await countLivingKeys(tx)) >= MAX_LIVING_KEYS) throw tooManyKeysError();
    const issued = await issueKey(tx, tx.workspace, {
      name: previous.name,
      scopes: previous.scopes,
      expiresAt: previous.expiresAt ?? undefined,
      origin: previous.origin,
      createdBy: { kind: previous.createdByKind, id: previous.createdById },
      actor: caller.actor,
    });
    const end = now + graceHours * HOUR_US;
    if (graceHours === 0) previous.revokedAt = now;
    else previous.expiresAt = Math.min(previous.expiresAt ?? end, end);
    await (await tx.entityManager()).flush();
    const after = { key_id: issued.apiKey.id, grace_hours: graceHours };
    recordAct(tx, { action: 'api_key.rotate', objectId: previous.id, after });
    return { ...issued, previous };
  }

  /** Lets a key expire in a number of seconds, unless it does so before or was revoked. */
  async expireSoon(tx: Tx, id: string, seconds: number): Promise<void> {
    await tx.query(
      `UPDATE api_keys SET expires_at = least(expires_at, now() + make_interval(secs => $3))
       WHERE workspace_id = $1 AND id = $2 AND revoked_at IS NULL`,
      [tx.workspace, id, seconds],
    );
  }

  /**
   * Revokes a key permanently. Repeating it keeps the first time of revocation.
   * @throws HubError `not_found` if the workspace has no key with this ID, `operator_key` if it is the operator's and
   *   not the caller's own, `forbidden_scope` if it has the scope `admin` and the caller has not.
   */
  async revoke(tx: Tx, id: string, { caller, withDescendants = false }: RevokeOptions = {}): Promise<RevokedKey> {
    await lockKeys(tx);
    const em = await tx.entityManager();
    const key = await findKey(tx, id);
    if (caller) checkMayRevoke(caller, key);
    if (key.revokedAt == null) recordAct(tx, { action: 'api_key.revoke', objectId: key.id });
    const revokedAt = (key.revokedAt ??= await tx.now());
    await em.flush();
    const descendants = withDescendants ? await revokeDescendants(tx, key.id) : [];
    for (const objectId of descendants) recordAct(tx, { action: 'api_key.revoke', objectId });
    return { id: key.id, revokedAt, descendants };
  }
}

async function findKey(tx: Tx, id: string): Promise<ApiKey> {
  const em = await tx.entityManager();
  const key = isUuid(id) ? await em.findOne(ApiKeyEntity, { workspaceId: tx.workspace, id }) : null;
  if (!key) throw new HubError('not_found', { detail: 'This workspace has no API key with this id.' });
  return key;
}

/** Returns the expiry of the key that creates another; undefined if it has none or the creator has no key. */
async function readLatestExpiry(tx: Tx, createdBy: Actor): Promise<Instant | undefined> {
  const makerId = readKeyId(createdBy);
  if (makerId === undefined) return undefined;
  const maker = await readMaker(tx, makerId);
  if (!maker?.is_living) throw HubError.unauthorized();
  return maker.expires_at ?? undefined;
}

function checkMayRevoke({ actor, scopes }: Caller, key: ApiKey): void {
  if (readKeyId(actor) === key.id) return;
  if (key.createdByKind === 'operator') throw new HubError('operator_key');
  if (key.scopes.includes('admin') && !scopes.includes('admin')) throw HubError.missingScope('admin');
}

function matchState(state: ApiKeyState, now: Instant): object {
  if (state === 'revoked') return { revokedAt: { $ne: null } };
  if (state === 'expired') return { revokedAt: null, expiresAt: { $lte: now } };
  return { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
}

function tooManyKeysError(): HubError {
  return new HubError('quota_exceeded', {
    detail:
      `A workspace has at most ${MAX_LIVING_KEYS} API keys that are neither revoked nor expired. Revoke one that is no ` +
      'longer needed, and repeat the call.',
    extra: { quota: 'api_keys', limit: MAX_LIVING_KEYS },
  });
}

function outlivesError(latest: Instant): HubError {
  const message = `the key cannot outlive the key that creates it, which expires at ${toIso(latest)}; send an earlier time`;
  return HubError.invalidRequest([{ field: 'expires_at', message }]);
}

/**
 * Creates a key of a workspace in any transaction that may write keys, without the limits of {@link ApiKeysService}.
 * @throws HubError `invalid_request` if `expiresAt` is not in the future.
 */
export async function issueKey(tx: Transaction, workspaceId: string, input: CreateKeyInput): Promise<IssuedKey> {
  const now = await tx.now();
  if (input.expiresAt !== undefined && input.expiresAt <= now) {
    throw HubError.invalidRequest([{ field: 'expires_at', message: 'expires_at must lie in the future' }]);
  }
  const { key, hash, prefix, lastFour } = generateKey();
  const em = await tx.entityManager();
  const apiKey = em.create(ApiKeyEntity, {
    workspaceId,
    id: newId(),
    name: input.name,
    hash,
    prefix,
    lastFour,
    scopes: [...input.scopes],
    origin: input.origin,
    createdByKind: input.createdBy.kind,
    createdById: input.createdBy.id,
    createdAt: now,
    expiresAt: input.expiresAt ?? null,
    revokedAt: null,
    lastUsedAt: null,
    lastUsedClient: null,
  });
  await em.persist(apiKey).flush();
  recordActOf(tx, workspaceId, {
    action: 'api_key.create',
    objectId: apiKey.id,
    after: { scopes: input.scopes, origin: input.origin, expires_at: toOptionalIso(input.expiresAt) },
    actor: input.actor ?? input.createdBy,
  });
  return { apiKey, key };
}

function toOptionalIso(instant: Instant | undefined): string | null {
  return instant === undefined ? null : toIso(instant);
}
