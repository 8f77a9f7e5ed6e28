import { InvalidScopeError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { Scope } from '#kernel/auth/caller.js';

/** Scopes that a program may request. Only the operator grants `internal`. */
export const SUPPORTED_SCOPES = ['read', 'write', 'settings', 'admin'] as const satisfies readonly Scope[];

/** Scopes for a program that requests none, and those that the metadata lists. */
export const DEFAULT_SCOPES = ['read', 'write'] as const satisfies readonly Scope[];

/**
 * Returns the scopes that the approval page offers: the requested ones and `settings`. Agents request what the metadata
 * lists, so a person adds `settings` to an agent that is to set the workspace up.
 */
export function listOfferedScopes(requested: readonly Scope[]): readonly Scope[] {
  return SUPPORTED_SCOPES.filter(scope => scope === 'settings' || requested.includes(scope));
}

/**
 * Parses the `scope` of a request. Unsupported scopes are ignored, as RFC 6749, section 3.3, allows: clients often add
 * `offline_access` or `openid`. The token response lists the granted scopes.
 * @throws InvalidScopeError if no requested scope is supported
 */
export function parseRequestedScopes(text: string | undefined): Scope[] {
  const requested = new Set((text ?? '').split(' ').filter(word => word !== ''));
  if (requested.size === 0) return [...DEFAULT_SCOPES];
  const supported = SUPPORTED_SCOPES.filter(scope => requested.has(scope));
  if (supported.length > 0) return supported;
  throw new InvalidScopeError(
    `None of these scopes is supported. Request one or more of: ${SUPPORTED_SCOPES.join(' ')}`,
  );
}

const NEVER_PRESELECTED: ReadonlySet<Scope> = new Set(['settings', 'admin']);

/** Returns whether the approval page selects a scope at first. Some it never does, so that granting them is deliberate. */
export function isPreselectedScope(scope: Scope): boolean {
  return !NEVER_PRESELECTED.has(scope);
}
