import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/actor/actor.js';
import { mayManageRole, type Role } from '#domain/actor/roles.js';
import { recordActOf } from '#kernel/audit/audit-log.js';
import type { Caller } from '#kernel/auth/caller.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { AuthDatabase } from './auth-database.js';
import { lockRoles, type MemberRow, readWorkspaceMembers } from './members.queries.js';
import { SessionCallerCache } from './session-caller.cache.js';

/** Lists, changes and removes the members of a workspace. */
@Injectable()
export class MembersService {
  constructor(
    private readonly database: AuthDatabase,
    private readonly callers: SessionCallerCache,
  ) {}

  /** Lists the members of a workspace, those who joined first first. */
  list(workspaceId: string): Promise<MemberRow[]> {
    return this.database.run(tx => readWorkspaceMembers(tx, workspaceId), workspaceId);
  }

  /**
   * Gives a member another role.
   * @throws HubError `not_found` for nobody of the workspace, `forbidden_scope` if the caller may not give or take the
   *   role, `last_owner`
   */
  async change({ workspaceId, actor }: Caller, userId: string, role: Role): Promise<MemberRow> {
    const member = await this.database.run(async tx => {
      const roles = await lockRoles(tx, workspaceId);
      const before = requireRole(roles, userId);
      requireMayManage(roles, actor, before, role);
      if (before === 'owner' && role !== 'owner') requireOtherOwner(roles, userId);
      if (role !== before) {
        const sql = 'UPDATE memberships SET role = $3 WHERE workspace_id = $1 AND user_id = $2';
        tx.deferToCommit(sql, [workspaceId, userId, role]);
        recordActOf(tx, workspaceId, {
          action: 'member.change',
          objectId: userId,
          before: { role: before },
          after: { role },
        });
      }
      const members = await readWorkspaceMembers(tx, workspaceId);
      return { ...members.find(({ user_id }) => user_id === userId)!, role };
    }, workspaceId);
    this.callers.clear();
    return member;
  }

  /**
   * Removes a member from a workspace, or lets a member leave it. Their account and other workspaces stay.
   * @throws HubError `not_found`, `forbidden_scope`, `last_owner`
   */
  async remove({ workspaceId, actor }: Caller, userId: string): Promise<void> {
    await this.database.run(async tx => {
      const roles = await lockRoles(tx, workspaceId);
      const role = requireRole(roles, userId);
      const isLeaving = actor.kind === 'person' && actor.id === userId;
      if (!isLeaving) requireMayManage(roles, actor, role);
      if (role === 'owner') requireOtherOwner(roles, userId);
      tx.deferToCommit('DELETE FROM memberships WHERE workspace_id = $1 AND user_id = $2', [workspaceId, userId]);
      recordActOf(tx, workspaceId, { action: 'member.remove', objectId: userId, before: { role } });
    }, workspaceId);
    this.callers.clear();
  }
}

/**
 * Checks that the caller may give, change or take roles. A program with an admin's key counts as an admin, and as an owner
 * while the workspace has none.
 * @throws HubError `forbidden_scope`
 */
export function requireMayManage(roles: ReadonlyMap<string, Role>, actor: Actor, ...concerned: readonly Role[]): void {
  const hasOwner = [...roles.values()].includes('owner');
  const own = actor.kind === 'person' ? roles.get(actor.id) : hasOwner ? 'admin' : 'owner';
  if (own && concerned.every(role => mayManageRole(own, role))) return;
  throw new HubError('forbidden_scope', {
    detail: 'Owners manage every member; admins those who are not owners. Ask an owner of the workspace.',
    extra: { scope: 'admin' },
  });
}

/** Reads the roles of a workspace and checks that the caller may give one. @throws HubError `forbidden_scope` */
export async function requireMayInvite(tx: Transaction, { workspaceId, actor }: Caller, role: Role): Promise<void> {
  requireMayManage(await lockRoles(tx, workspaceId), actor, role);
}

function requireRole(roles: ReadonlyMap<string, Role>, userId: string): Role {
  const role = roles.get(userId);
  if (role === undefined) throw new HubError('not_found');
  return role;
}

function requireOtherOwner(roles: ReadonlyMap<string, Role>, userId: string): void {
  const others = [...roles].filter(([id, role]) => role === 'owner' && id !== userId);
  if (others.length === 0) throw new HubError('last_owner');
}
