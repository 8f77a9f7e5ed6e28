import type { RouteResponse } from '@rapport/plugin-sdk';
import type { ErrorBody } from './endpoint.input.js';

/** There is nothing of that id. */
export function toNotFoundResponse(what: 'trigger' | 'delivery'): RouteResponse {
  const lists = { trigger: 'GET triggers', delivery: 'GET triggers/:id/deliveries' };
  return toErrorResponse(
    { error: `${what}_not_found`, detail: `There is no ${what} of that id: ${lists[what]} lists them.` },
    404,
  );
}

/** What the caller can mend. */
export function toErrorResponse({ error, detail, field }: ErrorBody, status = 400): RouteResponse {
  return { status, body: { error, detail, ...(field && { details: [{ field, message: detail }] }) } };
}
