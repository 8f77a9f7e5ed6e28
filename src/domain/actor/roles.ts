/** Roles of the members of a workspace, the one that may do most first. */
export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;

/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[number];

/** Returns whether a role may give, change and take another one: owners every role, admins those below owner. */
export function mayManageRole(actor: Role, role: Role): boolean {
  return actor === 'owner' || (actor === 'admin' && role !== 'owner');
}
