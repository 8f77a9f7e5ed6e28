import { defineEntity } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/actor/actor.js';
import { ROLES } from '#domain/actor/roles.js';
import { InstantType } from '#kernel/db/orm.js';

const ROLE_CHECK = `role IN (${ROLES.map(role => `'${role}'`).join(', ')})`;

/** The role of a user in a workspace. The user lies in another schema, so nothing refers to it. */
export const MembershipEntity = defineEntity({
  name: 'Membership',
  tableName: 'memberships',
  properties: p => ({
    workspaceId: p.uuid().primary(),
    userId: p.uuid().primary(),
    role: p.enum(ROLES),
    joinedAt: p.type(InstantType).defaultRaw('now()'),
  }),
  indexes: [{ name: 'memberships_user', properties: ['userId'] }],
  checks: [{ name: 'memberships_role_check', property: 'role', expression: ROLE_CHECK }],
});

/** An invitation that nobody has accepted yet. */
export const InvitationEntity = defineEntity({
  name: 'Invitation',
  tableName: 'invitations',
  properties: p => ({
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    email: p.text(),
    role: p.enum(ROLES),
    /** SHA-256 of the token in the link. */
    tokenHash: p.blob().$type<Buffer>().unique('invitations_token_hash_key'),
    invitedBy: p.json<Actor>(),
    createdAt: p.type(InstantType).defaultRaw('now()'),
    expiresAt: p.type(InstantType),
  }),
  checks: [{ name: 'invitations_role_check', property: 'role', expression: ROLE_CHECK }],
});
