import type { Plan } from '#domain/plans/tiers.js';

/** What an API key may do. `internal` opens the tools that agents never see. */
export const API_KEY_SCOPES = ['read', 'write', 'admin', 'internal'] as const;

/** One of {@link API_KEY_SCOPES}. */
export type Scope = (typeof API_KEY_SCOPES)[number];

/** Who is calling: the API key of a request and the workspace it belongs to. */
export interface Caller {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly plan: Plan;
  readonly scopes: readonly Scope[];
}
