import type { Actor } from '#domain/actor/actor.js';
import type { Plan } from '#domain/plans/tiers.js';

/** Scopes of API keys. `internal` grants tools that agents never see. */
export const API_KEY_SCOPES = ['read', 'write', 'admin', 'internal'] as const;

/** One of {@link API_KEY_SCOPES}. */
export type Scope = (typeof API_KEY_SCOPES)[number];

/** Who sends a request, and the workspace it is for. */
export interface Caller {
  readonly workspaceId: string;
  /** Who acts. Services that record who did something store it. */
  readonly actor: Actor;
  readonly plan: Plan;
  readonly scopes: readonly Scope[];
}
