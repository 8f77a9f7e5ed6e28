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
 * What every answer says: only pages of PUBLIC_URL may read it, nobody may keep it, and it is to be taken for nothing
 * but what it says it is. They are constant and few, because every header costs: the usual library halves the requests
 * per second. Routes that serve pages say more.
 */
export function buildSecurityHeaders({ publicUrl }: Env): Headers {
  const { origin, protocol } = new URL(publicUrl);
  return {
    'access-control-allow-origin': origin,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    ...(protocol === 'https:' && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  };
}

/** What a page that calls from elsewhere is told besides. */
export const corsHeaders: Headers = {
  'access-control-expose-headers': EXPOSED_RESPONSE_HEADERS.join(', '),
};

/** What a page must be told besides. */
export const pageHeaders: Headers = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

/** Where programs sign in nothing goes by cookies, so pages of anybody may call. */
const ANY_ORIGIN_PATHS = /^\/(?:\.well-known\/|oauth\/(?:device_authorization|register|revoke|token)(?:\?|$))/;

/** What is said besides where every page may read the answer. */
export const publicCorsHeaders: Headers = { 'access-control-allow-origin': '*' };

/** Whether pages of anybody may call an address. */
export function allowsAnyOrigin(url: string): boolean {
  return ANY_ORIGIN_PATHS.test(url);
}

/** What a browser is told that asks first, before it sends a request from another page (CORS preflight). */
export const preflightHeaders: Headers = {
  'access-control-allow-headers': ALLOWED_REQUEST_HEADERS.join(', '),
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-max-age': '600',
};
