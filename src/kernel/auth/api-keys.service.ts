import { LockMode } from '@mikro-orm/core';
import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { recordAct, recordActOf } from '#kernel/audit/audit-log.js';
import { newId } from '#kernel/ids.js';
import type { Actor } from '#domain/actor/actor.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Transaction, Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { type ApiKey, ApiKeyEntity, type KeyOrigin } from './api-key.entity.js';
import type { Scope } from './caller.js';
import { generateKey } from './key-format.js';

const MAX_LISTED_KEYS = 1000;

/** Properties of a new key. */
export interface CreateKeyInput {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Absent if the key does not expire. */
  readonly expiresAt?: Instant;
  readonly origin: KeyOrigin;
  /** Who creates the key, for the audit log. Default: the caller of the request, or the operator. */
  readonly actor?: Actor;
}

/** A key that was just created. `key` holds the plain key and is not stored anywhere. */
export interface IssuedKey {
  readonly apiKey: ApiKey;
  readonly key: string;
}

/** Creates, lists and revokes the API keys of the workspace of a transaction. */
@Injectable()
export class ApiKeysService {
  /**
   * Creates a key.
   * @throws HubError `invalid_request` if `expiresAt` is not in the future.
   */
  create(tx: Tx, input: CreateKeyInput): Promise<IssuedKey> {
    return issueKey(tx, tx.workspace, input);
  }

  /** Lists the keys of the workspace, newest first, including revoked and expired ones; at most 1000. */
  async list(tx: Tx): Promise<ApiKey[]> {
    const em = await tx.entityManager();
    return em.find(ApiKeyEntity, { workspaceId: tx.workspace }, { orderBy: { id: 'desc' }, limit: MAX_LISTED_KEYS });
  }

  /**
   * Revokes a key permanently. Repeating it keeps the first time of revocation.
   * @throws HubError `not_found` if the workspace has no key with this ID.
   */
  async revoke(tx: Tx, id: string): Promise<ApiKey> {
    const em = await tx.entityManager();
    const where = { workspaceId: tx.workspace, id };
    const key = isUuid(id) ? await em.findOne(ApiKeyEntity, where, { lockMode: LockMode.PESSIMISTIC_WRITE }) : null;
    if (!key) throw new HubError('not_found', { detail: 'This workspace has no API key with this id.' });
    if (key.revokedAt === null || key.revokedAt === undefined)
      recordAct(tx, { action: 'api_key.revoke', objectId: id });
    key.revokedAt ??= await tx.now();
    await em.flush();
    return key;
  }
}

/**
 * Creates a key of a workspace in any transaction that may write keys.
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
    ...(input.actor && { actor: input.actor }),
  });
  return { apiKey, key };
}

function toOptionalIso(instant: Instant | undefined): string | null {
  return instant === undefined ? null : toIso(instant);
}
