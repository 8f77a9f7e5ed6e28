import type { RouteResponse } from '@rapport/plugin-sdk';
import type { ErrorBody } from './endpoint.input.js';

/** Builds the 404 response for an unknown ID. */
export function toNotFoundResponse(what: 'trigger' | 'delivery'): RouteResponse {
  const lists = { trigger: 'GET /v2/workspace/triggers', delivery: 'GET /v2/workspace/triggers/:id/deliveries' };
  return toErrorResponse(
    { error: `${what}_not_found`, detail: `The ${what} does not exist. ${lists[what]} lists the existing ones.` },
    404,
  );
}

/** Builds an error response. @param status HTTP status. Default: 400 */
export function toErrorResponse({ error, detail, field }: ErrorBody, status = 400): RouteResponse {
  return { status, body: { error, detail, ...(field && { details: [{ field, message: detail }] }) } };
}
