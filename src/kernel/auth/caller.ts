import type { Actor } from '#domain/actor/actor.js';
import type { Role } from '#domain/actor/roles.js';
import type { Plan } from '#domain/plans/tiers.js';

/**
 * Scopes of API keys. `settings` changes what the workspace is set up with: profile, scoring model, trust, integrations,
 * triggers and API keys. `admin` includes it. `internal` grants tools that agents never see.
 */
export const API_KEY_SCOPES = ['read', 'write', 'settings', 'admin', 'internal'] as const;

/** One of {@link API_KEY_SCOPES}. */
export type Scope = (typeof API_KEY_SCOPES)[number];

/** Returns the scopes of a key with those that they include: `admin` includes `settings`. */
export function expandScopes(scopes: readonly Scope[]): readonly Scope[] {
  return scopes.includes('admin') && !scopes.includes('settings') ? [...scopes, 'settings'] : scopes;
}

/** Scopes by role. A program gets `internal` from the operator only, and a person never. */
const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  owner: ['read', 'write', 'settings', 'admin'],
  admin: ['read', 'write', 'settings', 'admin'],
  member: ['read', 'write'],
  viewer: ['read'],
};

/** Returns the scopes of a member with a role. */
export function listRoleScopes(role: Role): readonly Scope[] {
  return ROLE_SCOPES[role];
}

/** Who sends a request, and the workspace it is for. */
export interface Caller {
  readonly workspaceId: string;
  /** Who acts. Services that record who did something store it. */
  readonly actor: Actor;
  readonly plan: Plan;
  /** The scopes of the caller, with those that they include. */
  readonly scopes: readonly Scope[];
}
