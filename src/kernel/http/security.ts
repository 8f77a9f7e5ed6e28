import type { Env } from '#kernel/config/env.js';

type Headers = Readonly<Record<string, string>>;

const requestHeaders = [
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

const answerHeaders = [
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
export function securityHeaders({ publicUrl }: Env): Headers {
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
export const browserHeaders: Headers = {
  'access-control-expose-headers': answerHeaders.join(', '),
};

/** What a page must be told besides. */
export const pageHeaders: Headers = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

/** Where programs sign in nothing goes by cookies, so pages of anybody may call. */
const OPEN_TO_PAGES = /^\/(?:\.well-known\/|oauth\/(?:device_authorization|register|revoke|token)(?:\?|$))/;

/** What is said besides where every page may read the answer. */
export const anyPageHeaders: Headers = { 'access-control-allow-origin': '*' };

/** Whether pages of anybody may call an address. */
export function isOpenToPages(url: string): boolean {
  return OPEN_TO_PAGES.test(url);
}

/** What a browser is told that asks first, before it sends a request from another page (CORS preflight). */
export const preflightHeaders: Headers = {
  'access-control-allow-headers': requestHeaders.join(', '),
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-max-age': '600',
};
