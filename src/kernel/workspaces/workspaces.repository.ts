import { recordActOf } from '#kernel/audit/audit-log.js';
import { newId } from '#kernel/ids.js';
import { OPERATOR } from '#domain/actor/actor.js';
import type { Plan } from '#domain/plans/tiers.js';
import { type IssuedKey, issueKey } from '#kernel/auth/api-keys.service.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { type Workspace, WorkspaceEntity } from './workspace.entity.js';

/** A new workspace with its first key. */
export interface CreatedWorkspace extends IssuedKey {
  readonly workspace: Workspace;
}

/** Creates a workspace and its first API key (read, write, admin) in one transaction. */
export function createWorkspace(work: UnitOfWork, input: { name: string; plan: Plan }): Promise<CreatedWorkspace> {
  return work.system(async tx => {
    const em = await tx.entityManager();
    const workspace = em.create(WorkspaceEntity, { id: newId(), ...input, createdAt: await tx.now() });
    await em.persist(workspace).flush();
    const after = { plan: input.plan };
    recordActOf(tx, workspace.id, { action: 'workspace.create', objectId: workspace.id, after });
    const scopes = ['read', 'write', 'admin'] as const;
    const firstKey = { name: 'first key', scopes, origin: 'admin', createdBy: OPERATOR } as const;
    return { workspace, ...(await issueKey(tx, workspace.id, firstKey)) };
  });
}

/** Creates a workspace without a key, for an import. @param input the ID must be new */
export function createEmptyWorkspace(
  work: UnitOfWork,
  input: { readonly id: string; readonly name: string; readonly plan: Plan },
): Promise<Workspace> {
  return work.system(async tx => {
    const em = await tx.entityManager();
    const workspace = em.create(WorkspaceEntity, { ...input, createdAt: await tx.now() });
    await em.persist(workspace).flush();
    return workspace;
  });
}

/** Lists all workspaces of this hub, oldest first. */
export function listWorkspaces(work: UnitOfWork): Promise<Workspace[]> {
  return work.system(async tx => (await tx.entityManager()).findAll(WorkspaceEntity, { orderBy: { id: 'asc' } }));
}

/** Returns the workspace with this ID (a UUID); null if there is none. */
export function findWorkspace(work: UnitOfWork, id: string): Promise<Workspace | null> {
  return work.system(async tx => (await tx.entityManager()).findOne(WorkspaceEntity, { id }));
}

/** Sets the plan of a workspace; every process applies it within 5 s. Returns null if there is no such workspace. */
export function setPlan(work: UnitOfWork, id: string, plan: Plan): Promise<Workspace | null> {
  return work.system(async tx => {
    const em = await tx.entityManager();
    const workspace = await em.findOne(WorkspaceEntity, { id });
    if (workspace && workspace.plan !== plan) {
      const before = { plan: workspace.plan };
      recordActOf(tx, id, { action: 'workspace.set_plan', objectId: id, before, after: { plan } });
      workspace.plan = plan;
    }
    await em.flush();
    return workspace;
  });
}

/** Renames the workspace of a tenant's transaction. @param name 1 to 200 characters; it is trimmed. */
export async function renameWorkspace(tx: Tx, name: string): Promise<void> {
  const em = await tx.entityManager();
  await em.nativeUpdate(WorkspaceEntity, {}, { name: name.trim() });
}
