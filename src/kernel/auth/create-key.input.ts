import { DAY_US, type Instant, parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { CreateApiKey } from './api-keys.dto.js';
import type { CreateKeyInput } from './api-keys.service.js';
import type { Caller } from './caller.js';

/**
 * Validates the request for a new key. A caller can grant only scopes that it has itself.
 * @throws HubError `forbidden_scope` for a scope that the caller lacks, `invalid_request` for an invalid expiry.
 */
export function toCreateKeyInput(body: CreateApiKey, caller: Caller, now: Instant): CreateKeyInput {
  const scopes = body.scopes ?? ['read', 'write'];
  const missing = scopes.find(scope => !caller.scopes.includes(scope));
  if (missing) throw HubError.missingScope(missing);
  return { name: body.name.trim(), scopes, expiresAt: parseExpiry(body, now), origin: 'api', createdBy: caller.actor };
}

function parseExpiry({ expires_at, expires_in_days }: CreateApiKey, now: Instant): Instant | undefined {
  if (expires_at != null && expires_in_days != null) {
    const message = 'expires_at and expires_in_days say the same; send one of them';
    throw HubError.invalidRequest([{ field: 'expires_at', message }]);
  }
  if (expires_in_days != null) return now + expires_in_days * DAY_US;
  return expires_at == null ? undefined : parseInstant(expires_at);
}
