import { DAY, type Instant, parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/errors.js';
import type { CreateApiKey } from './api-keys.dto.js';
import type { KeyWish } from './api-keys.service.js';
import type { Caller } from './caller.js';

/**
 * Reads what key a caller asks for. Nobody can hand on more than they hold.
 * @throws HubError `forbidden_scope` for a scope that the caller lacks, `invalid_request` for an unusable expiry.
 */
export function wishOf(body: CreateApiKey, caller: Caller, now: Instant): KeyWish {
  const scopes = body.scopes ?? ['read', 'write'];
  const beyond = scopes.find(scope => !caller.scopes.includes(scope));
  if (beyond) throw HubError.missingScope(beyond);
  return { name: body.name.trim(), scopes, expiresAt: expiryOf(body, now), origin: 'api' };
}

function expiryOf({ expires_at, expires_in_days }: CreateApiKey, now: Instant): Instant | undefined {
  if (expires_at != null && expires_in_days != null) {
    const message = 'expires_at and expires_in_days say the same; send one of them';
    throw HubError.invalidRequest([{ field: 'expires_at', message }]);
  }
  if (expires_in_days != null) return now + expires_in_days * DAY;
  return expires_at == null ? undefined : parseInstant(expires_at);
}
