import type { Role } from '#domain/actor/roles.js';
import type { Plan } from '#domain/plans/tiers.js';
import type { Instant } from '#domain/time/instant.js';
import type { Transaction } from '#kernel/db/transaction.js';

/** A membership as a user sees it. */
export interface MembershipRow {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly role: Role;
}

/** Returns the workspaces of a user by name. */
export function readMemberships(tx: Transaction, userId: string): Promise<MembershipRow[]> {
  return tx.query<MembershipRow>(
    `SELECT workspace.id, workspace.name, workspace.plan, member.role
     FROM memberships member JOIN workspaces workspace ON workspace.id = member.workspace_id
     WHERE member.user_id = $1 ORDER BY workspace.name, workspace.id`,
    [userId],
  );
}

/** A member of a workspace. */
export interface MemberRow {
  readonly user_id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly joined_at: Instant;
  readonly last_seen_at: Instant | null;
  readonly second_factor: boolean;
}

/** Returns the members of a workspace, those who joined first first. */
export function readWorkspaceMembers(tx: Transaction, workspaceId: string): Promise<MemberRow[]> {
  return tx.query<MemberRow>(
    `SELECT member.user_id, own.name, own.email, member.role, member.joined_at,
       own.two_factor_enabled AS second_factor,
       (SELECT max(updated_at) FROM rapport_auth.sessions session WHERE session.user_id = own.id) AS last_seen_at
     FROM memberships member JOIN rapport_auth.users own ON own.id = member.user_id
     WHERE member.workspace_id = $1 ORDER BY member.joined_at, member.user_id`,
    [workspaceId],
  );
}

/** A user of the hub, with the memberships. */
export interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly memberships: readonly { readonly workspace_id: string; readonly role: Role }[];
}

/** Returns all users of the hub by address. */
export function readUsers(tx: Transaction): Promise<UserRow[]> {
  return tx.query<UserRow>(
    `SELECT own.id, own.name, own.email, coalesce((
       SELECT json_agg(json_build_object('workspace_id', workspace_id, 'role', role) ORDER BY joined_at)
       FROM memberships member WHERE member.user_id = own.id
     ), '[]') AS memberships
     FROM rapport_auth.users own ORDER BY own.email`,
  );
}

/** Returns the roles of a workspace by user, locked until the transaction ends, so that an owner is left. */
export async function lockRoles(tx: Transaction, workspaceId: string): Promise<ReadonlyMap<string, Role>> {
  const rows = await tx.query<{ user_id: string; role: Role }>(
    'SELECT user_id, role FROM memberships WHERE workspace_id = $1 ORDER BY user_id FOR UPDATE',
    [workspaceId],
  );
  return new Map(rows.map(({ user_id, role }) => [user_id, role]));
}
