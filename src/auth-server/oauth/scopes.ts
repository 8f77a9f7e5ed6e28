import { InvalidScopeError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { Scope } from '#kernel/auth/caller.js';

/** What a program may ask for. `internal` is for the operator to give. */
export const SUPPORTED_SCOPES = ['read', 'write', 'admin'] as const satisfies readonly Scope[];

/** What a program gets that asks for nothing in particular, and what agents are told to ask for. */
export const DEFAULT_SCOPES = ['read', 'write'] as const satisfies readonly Scope[];

/**
 * Reads the `scope` of a request. Clients add scopes out of habit (`offline_access`, `openid`), so what is not offered
 * is left out, as RFC 6749, 3.3 allows; the answer says what was given.
 * @throws InvalidScopeError when nothing is left.
 */
export function parseRequestedScopes(text: string | undefined): Scope[] {
  const requested = new Set((text ?? '').split(' ').filter(word => word !== ''));
  if (requested.size === 0) return [...DEFAULT_SCOPES];
  const supported = SUPPORTED_SCOPES.filter(scope => requested.has(scope));
  if (supported.length > 0) return supported;
  throw new InvalidScopeError(`None of these scopes is offered; ask for some of: ${SUPPORTED_SCOPES.join(' ')}`);
}
