import type { Env } from '#kernel/config/env.js';

type Headers = Readonly<Record<string, string>>;

const ALLOWED_REQUEST_HEADERS = [
  'authorization',
  'content-type',
  'idempotency-key',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'x-api-key',
  'x-mcp-readonly',
  'x-mcp-tools',
  'x-rapport-client',
  'x-request-id',
];

const EXPOSED_RESPONSE_HEADERS = [
  'idempotent-replayed',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'www-authenticate',
  'x-request-id',
];

/**
 * Builds the headers of every response: only pages of PUBLIC_URL may read it, no cache may store it, its content type
 * must not be guessed, and links in it do not disclose its address. They are constant and few, because every header costs: the usual library halves the
 * requests per second. Routes that serve pages add more.
 */
export function buildSecurityHeaders({ publicUrl }: Env): Headers {
  const { origin, protocol } = new URL(publicUrl);
  return {
    'access-control-allow-origin': origin,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(protocol === 'https:' && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  };
}

/** Additional headers for requests with an `Origin`. */
export const corsHeaders: Headers = {
  'access-control-expose-headers': EXPOSED_RESPONSE_HEADERS.join(', '),
};

/** Additional headers for HTML pages. */
export const pageHeaders: Headers = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** Paths that any origin may call: they do not use cookies. */
const ANY_ORIGIN_PATHS = /^\/(?:\.well-known\/|oauth\/(?:device_authorization|register|revoke|token)(?:\?|$))/;

/** Additional headers for paths that any origin may read. */
export const publicCorsHeaders: Headers = { 'access-control-allow-origin': '*' };

/** Returns whether any origin may call a URL. */
export function allowsAnyOrigin(url: string): boolean {
  return ANY_ORIGIN_PATHS.test(url);
}

/** Headers of the response to a CORS preflight. */
export const preflightHeaders: Headers = {
  'access-control-allow-headers': ALLOWED_REQUEST_HEADERS.join(', '),
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-max-age': '600',
};
