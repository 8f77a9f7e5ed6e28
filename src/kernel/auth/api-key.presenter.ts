import { type Instant, toIso } from '#domain/time/instant.js';
import type { ApiKey } from './api-key.entity.js';
import type { ApiKeyDto } from './api-keys.dto.js';

/** Converts a key to its representation in lists, which contains no secret. */
export function toApiKeyDto(key: ApiKey): ApiKeyDto {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    scopes: key.scopes,
    origin: key.origin,
    created_by: { kind: key.createdByKind, id: key.createdById },
    created_at: toIso(key.createdAt),
    expires_at: toOptionalIso(key.expiresAt),
    revoked_at: toOptionalIso(key.revokedAt),
    last_used_at: toOptionalIso(key.lastUsedAt),
    last_used_client: key.lastUsedClient ?? null,
  };
}

function toOptionalIso(instant: Instant | null | undefined): string | null {
  return instant == null ? null : toIso(instant);
}
