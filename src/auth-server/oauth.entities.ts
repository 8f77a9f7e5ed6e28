import { defineEntity, type InferEntity } from '@mikro-orm/postgresql';
import type { Actor } from '#domain/actor/actor.js';
import type { Scope } from '#kernel/auth/caller.js';
import { InstantType } from '#kernel/db/orm.js';

/** A dynamically registered OAuth client. It exists before a workspace is known. */
export const OAuthClientEntity = defineEntity({
  name: 'OAuthClient',
  tableName: 'oauth_clients',
  properties: p => ({
    id: p.text().primary(),
    name: p.text(),
    redirectUris: p.array().$type<string[]>(),
    createdAt: p.type(InstantType).defaultRaw('now()'),
    usedAt: p.type(InstantType).nullable(),
  }),
  indexes: [
    {
      name: 'oauth_clients_age',
      expression: 'create index "oauth_clients_age" on "oauth_clients" (coalesce(used_at, created_at))',
    },
    {
      name: 'oauth_clients_unused',
      expression: 'CREATE INDEX oauth_clients_unused ON oauth_clients (created_at DESC, id) WHERE used_at IS NULL',
    },
  ],
});

/** A device authorization request. It exists before a workspace is known. */
export const DeviceRequestEntity = defineEntity({
  name: 'DeviceRequest',
  tableName: 'oauth_device_requests',
  properties: p => ({
    id: p.uuid().primary(),
    deviceHash: p.blob().$type<Buffer>().unique('oauth_device_requests_device_hash_key'),
    userCode: p.text().unique('oauth_device_requests_user_code_key'),
    clientId: p.text(),
    clientName: p.text(),
    clientHost: p.text().nullable(),
    scopes: p.array().$type<Scope[]>(),
    address: p.text(),
    secondsBetweenPolls: p.integer(),
    polledAt: p.type(InstantType).nullable(),
    decision: p.text().$type<'approved' | 'denied'>().nullable(),
    decidedWorkspaceId: p.uuid().nullable(),
    createdAt: p.type(InstantType).defaultRaw('now()'),
    expiresAt: p.type(InstantType),
  }),
  indexes: [{ name: 'oauth_device_requests_age', properties: ['expiresAt'] }],
  checks: [
    {
      name: 'oauth_device_requests_decision_check',
      property: 'decision',
      expression: "decision IN ('approved', 'denied')",
    },
  ],
});

/** A row of {@link DeviceRequestEntity}. */
export type DeviceRequest = InferEntity<typeof DeviceRequestEntity>;

/** A consent that waits to be exchanged for an API key. */
export const GrantEntity = defineEntity({
  name: 'Grant',
  tableName: 'oauth_grants',
  properties: p => ({
    workspaceId: p.uuid().primary(),
    id: p.uuid().primary(),
    secretHash: p.blob().$type<Buffer>(),
    clientId: p.text(),
    name: p.text(),
    origin: p.text().$type<'oauth' | 'cli'>(),
    scopes: p.array().$type<Scope[]>(),
    redirectUri: p.text().nullable(),
    codeChallenge: p.text().nullable(),
    approvedBy: p.json<Actor>(),
    keyId: p.uuid().nullable(),
    createdAt: p.type(InstantType).defaultRaw('now()'),
    expiresAt: p.type(InstantType),
  }),
  indexes: [{ name: 'oauth_grants_age', properties: ['expiresAt'] }],
  checks: [{ name: 'oauth_grants_origin_check', property: 'origin', expression: "origin IN ('oauth', 'cli')" }],
});
