import type { Actor } from '#domain/actor/actor.js';
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

/** Who sends a request, and the workspace it is for. */
export interface Caller {
  readonly workspaceId: string;
  /** Who acts. Services that record who did something store it. */
  readonly actor: Actor;
  readonly plan: Plan;
  /** The scopes of the caller, with those that they include. */
  readonly scopes: readonly Scope[];
}
