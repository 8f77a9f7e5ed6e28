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
 * What every answer says to browsers: not to guess types, to keep nothing, to run and frame nothing, and that only
 * pages of PUBLIC_URL may read it. They are constant, so they cost next to nothing (the usual library halves the
 * requests per second); routes that serve pages replace the content policy.
 */
export function securityHeaders({ publicUrl }: Env): Headers {
  const { origin, protocol } = new URL(publicUrl);
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': answerHeaders.join(', '),
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(protocol === 'https:' && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  };
}

/** What a browser is told that asks first, before it sends a request from another page (CORS preflight). */
export const preflightHeaders: Headers = {
  'access-control-allow-headers': requestHeaders.join(', '),
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-max-age': '600',
};
