import type { Filter, TriggerEvent } from './filter.js';
import type { Format } from './schemas.js';
import type { Health } from './circuit-breaker.js';

/** A webhook endpoint. Times are ISO 8601. */
export type Endpoint = {
  readonly id: string;
  readonly name: string | null;
  readonly url: string;
  readonly events: readonly TriggerEvent[];
  readonly filter: Filter;
  /** Sent with every request; may hold secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly format: Format;
  readonly active: boolean;
  /** Signing secrets, newest first. */
  readonly secrets: readonly Secret[];
  readonly created_at: string;
  readonly updated_at: string;
};

/** A signing secret; `until` is the expiry of a rotated one. */
export type Secret = { readonly secret: string; readonly until: string | null };

const DISABLED_REASONS: Readonly<Record<'gone' | 'failing', string>> = {
  gone: 'It answered 410: it wants no more events.',
  failing: 'Nothing could be delivered for five days.',
};

/** Returns the valid secrets, newest first. */
export function listValidSecrets({ secrets }: Pick<Endpoint, 'secrets'>, now: number): string[] {
  return secrets.filter(({ until }) => until === null || Date.parse(until) > now).map(({ secret }) => secret);
}

/** Puts a new secret first and keeps the previous one valid for `overlapMs`. */
export function rotateSecrets({ secrets }: Endpoint, secret: string, now: number, overlapMs: number): Secret[] {
  const [latest] = secrets;
  const until = new Date(now + overlapMs).toISOString();
  return [{ secret, until: null }, ...(latest && overlapMs > 0 ? [{ secret: latest.secret, until }] : [])];
}

/** Converts an endpoint for the API, without secrets and header values. */
export function toEndpointResponse(endpoint: Endpoint, health: Health) {
  const { id, name, url, events, filter, headers, format, active, created_at, updated_at } = endpoint;
  const { disabled, failingSince, holdUntil, lastSuccessAt, warned } = health;
  return {
    id,
    name,
    url,
    events: [...events],
    filter,
    headers: Object.keys(headers),
    format,
    active: active && disabled === null,
    state: disabled ? 'disabled' : active ? 'active' : 'paused',
    reason: disabled ? DISABLED_REASONS[disabled.reason] : null,
    warning: !disabled && warned > 0 ? 'It fails; after five days without a success it is disabled.' : null,
    failing_since: toIsoTime(failingSince),
    next_try_at: toIsoTime(holdUntil),
    last_success_at: toIsoTime(lastSuccessAt),
    created_at,
    updated_at,
  };
}

const LOCKED_REASON =
  'It cannot be read, because the hub does not hold the key that it is sealed with: the operator has to add it to ' +
  'SECRET_KEYS. Its events wait.';

/** Presents an endpoint that cannot be decrypted at the moment. */
export function toLockedResponse(id: string, updatedAt: string): ReturnType<typeof toEndpointResponse> {
  return {
    id,
    name: null,
    url: '',
    events: [],
    filter: {},
    headers: [],
    format: 'standard',
    active: false,
    state: 'locked',
    reason: LOCKED_REASON,
    warning: null,
    failing_since: null,
    next_try_at: null,
    last_success_at: null,
    created_at: updatedAt,
    updated_at: updatedAt,
  };
}

function toIsoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
