import { LockMode } from '@mikro-orm/core';
import type { Tx } from '#kernel/db/transaction.js';
import { type ProviderAuthorization, ProviderAuthorizationEntity } from './provider-authorization.js';

/** Open links of a workspace; a new one replaces the oldest. */
const MAX_OPEN = 20;

/** What a new link is made of. */
export type NewAuthorization = Pick<
  ProviderAuthorization,
  'id' | 'linkHash' | 'connectionId' | 'plugin' | 'name' | 'settings' | 'requestedBy' | 'expiresAt'
>;

/** The latest attempt to sign in. */
export type SignInAttempt = Record<'stateHash' | 'nonceHash', Buffer> & { readonly verifier: string };

/** Inserts a link, and deletes those beyond the newest 20 of the workspace. */
export async function insertAuthorization(tx: Tx, authorization: NewAuthorization): Promise<void> {
  const em = await tx.entityManager();
  em.create(ProviderAuthorizationEntity, { ...authorization, workspaceId: tx.workspace });
  await em.flush();
  tx.deferToCommit(
    `DELETE FROM provider_authorizations WHERE workspace_id = $1 AND id IN (
       SELECT id FROM provider_authorizations WHERE workspace_id = $1 ORDER BY created_at DESC OFFSET ${MAX_OPEN})`,
    [tx.workspace],
  );
}

/** Reads a link that has not expired. */
export async function readAuthorization(tx: Tx, linkHash: Buffer): Promise<ProviderAuthorization | undefined> {
  const em = await tx.entityManager();
  return (await em.findOne(ProviderAuthorizationEntity, await whereOpen(tx, { linkHash }))) ?? undefined;
}

/** Begins an attempt; the one before it ends. */
export async function saveAttempt(tx: Tx, id: string, attempt: SignInAttempt): Promise<void> {
  const em = await tx.entityManager();
  await em.nativeUpdate(ProviderAuthorizationEntity, { workspaceId: tx.workspace, id }, attempt);
}

/** Ends the attempt of a state, which works once, and returns its link. */
export async function takeAttempt(tx: Tx, stateHash: Buffer): Promise<ProviderAuthorization | undefined> {
  const em = await tx.entityManager();
  const where = await whereOpen(tx, { stateHash });
  const found = await em.findOne(ProviderAuthorizationEntity, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!found) return undefined;
  const attempt = { ...found };
  found.stateHash = null;
  await em.flush();
  return attempt;
}

/** Deletes a link that has done its work. */
export function deleteAuthorization(tx: Tx, id: string): void {
  tx.deferToCommit('DELETE FROM provider_authorizations WHERE workspace_id = $1 AND id = $2', [tx.workspace, id]);
}

async function whereOpen(tx: Tx, hash: Partial<Record<'linkHash' | 'stateHash', Buffer>>) {
  return { workspaceId: tx.workspace, ...hash, expiresAt: { $gt: await tx.now() } };
}
