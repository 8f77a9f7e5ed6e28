import { type Instant, toIso } from '#domain/time/instant.js';
import type { ApiKey } from './api-key.entity.js';
import type { ApiKeyRow } from './api-keys.dto.js';

/** Shows a key as lists do: nothing in it opens a door. */
export function toApiKeyRow(key: ApiKey): ApiKeyRow {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    scopes: key.scopes,
    origin: key.origin,
    created_at: toIso(key.createdAt),
    expires_at: isoOrNull(key.expiresAt),
    revoked_at: isoOrNull(key.revokedAt),
    last_used_at: isoOrNull(key.lastUsedAt),
    last_used_client: key.lastUsedClient ?? null,
  };
}

function isoOrNull(instant: Instant | null | undefined): string | null {
  return instant == null ? null : toIso(instant);
}
