import type { Actor } from '#domain/actor/actor.js';
import { type AuditAction, recordActOf } from '#kernel/audit/audit-log.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { type MembershipRow, readMemberships } from './members.queries.js';

/**
 * Records in every workspace of a user what was done to their account.
 * @param actor who did it. Default: the user
 * @returns the workspaces
 */
export async function recordForUser(
  tx: Transaction,
  userId: string,
  action: AuditAction,
  actor: Actor = { kind: 'person', id: userId },
): Promise<MembershipRow[]> {
  const workspaces = await readMemberships(tx, userId);
  for (const { id } of workspaces) recordActOf(tx, id, { action, objectId: userId, actor });
  return workspaces;
}
