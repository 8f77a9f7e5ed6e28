import { LockMode } from '@mikro-orm/core';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import {
  type ClaimRebuild,
  ClaimRebuildEntity,
  type StoredTrustVersion,
  StoredTrustVersionEntity,
} from './trust.entities.js';

/** One version of the trust settings, as it is presented. */
export type TrustVersion = Pick<StoredTrustVersion, 'version' | 'content' | 'note' | 'createdAt'>;

/** Selects a version; by default the newest. */
export interface TrustVersionRef {
  readonly version?: number | undefined;
  /** Time at which the version was in effect. */
  readonly asOf?: Instant | undefined;
}

/** Locks the trust settings of the workspace against other writers until the transaction ends. */
export async function lockTrust(tx: Tx): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('trust ' || $1::text, 0))", [tx.workspace]);
}

/** Returns the newest version up to `version` and up to a time; undefined if the default rules apply. */
export async function readTrustVersion(
  tx: Tx,
  { version, asOf }: TrustVersionRef = {},
): Promise<TrustVersion | undefined> {
  const em = await tx.entityManager();
  const where = {
    workspaceId: tx.workspace,
    ...(version !== undefined && { version: { $lte: version } }),
    ...(asOf !== undefined && { createdAt: { $lte: asOf } }),
  };
  return (await em.findOne(StoredTrustVersionEntity, where, { orderBy: { version: 'desc' } })) ?? undefined;
}

/** Inserts a version and schedules a rebuild `afterSeconds` later, when every process has loaded the version. */
export async function insertTrustVersion(
  tx: Tx,
  version: Pick<StoredTrustVersion, 'version' | 'content' | 'note' | 'author'>,
  afterSeconds: number,
): Promise<TrustVersion> {
  const em = await tx.entityManager();
  const added = em.create(StoredTrustVersionEntity, { workspaceId: tx.workspace, ...version });
  const schedule = {
    version: version.version,
    cursor: null,
    entities: 0,
    claims: 0,
    changed: 0,
    dueAt: (await tx.now()) + afterSeconds * 1_000_000,
    finishedAt: null,
  };
  // Locked and read again: a page of the earlier rebuild may just have been stored.
  const rebuild = await em.findOne(
    ClaimRebuildEntity,
    { workspaceId: tx.workspace },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  );
  if (rebuild) em.assign(rebuild, schedule);
  else em.persist(em.create(ClaimRebuildEntity, { workspaceId: tx.workspace, ...schedule }));
  await em.persist(added).flush();
  return added;
}

/** Returns the rebuild of the newest version. */
export async function readRebuild(tx: Tx): Promise<ClaimRebuild | undefined> {
  const em = await tx.entityManager();
  return (await em.findOne(ClaimRebuildEntity, { workspaceId: tx.workspace })) ?? undefined;
}

/** Locks the due, unfinished rebuild for this transaction; undefined if there is none or another process has it. */
export async function lockRebuild(tx: Tx): Promise<ClaimRebuild | undefined> {
  const em = await tx.entityManager();
  const due = { workspaceId: tx.workspace, finishedAt: null, dueAt: { $lte: await tx.now() } };
  return (await em.findOne(ClaimRebuildEntity, due, { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE })) ?? undefined;
}

/** Stores the progress of a locked rebuild after a page. A step without a last entity marks it as finished. */
export async function advanceRebuild(
  tx: Tx,
  rebuild: ClaimRebuild,
  step: { last: string | null; entities: number; claims: number; changed: number },
): Promise<void> {
  rebuild.cursor = step.last ?? rebuild.cursor ?? null;
  rebuild.entities += step.entities;
  rebuild.claims += step.claims;
  rebuild.changed += step.changed;
  rebuild.finishedAt = step.last === null ? await tx.now() : null;
  await (await tx.entityManager()).flush();
}
