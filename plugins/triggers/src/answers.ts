import type { RouteAnswer } from '@rapport/plugin-sdk';
import type { Refusal } from './wish.js';

/** There is nothing of that id. */
export function notFound(what: 'trigger' | 'delivery'): RouteAnswer {
  const lists = { trigger: 'GET triggers', delivery: 'GET triggers/:id/deliveries' };
  return refusal(
    { error: `${what}_not_found`, detail: `There is no ${what} of that id: ${lists[what]} lists them.` },
    404,
  );
}

/** What the caller can mend. */
export function refusal({ error, detail, field }: Refusal, status = 400): RouteAnswer {
  return { status, body: { error, detail, ...(field && { details: [{ field, message: detail }] }) } };
}
