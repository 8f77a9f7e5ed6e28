import type { Plan } from '#domain/plans/tiers.js';

/** Scopes of API keys. `internal` grants tools that agents never see. */
export const API_KEY_SCOPES = ['read', 'write', 'admin', 'internal'] as const;

/** One of {@link API_KEY_SCOPES}. */
export type Scope = (typeof API_KEY_SCOPES)[number];

/** The API key of a request and the workspace it belongs to. */
export interface Caller {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly plan: Plan;
  readonly scopes: readonly Scope[];
}
