import type { FailureResponse } from '@rapport/plugin-sdk';
import type { ErrorBody } from './endpoint.input.js';

/** Builds the 404 response for an unknown ID. */
export function toNotFoundResponse(what: 'trigger' | 'delivery'): FailureResponse {
  const lists = { trigger: 'GET /v2/workspace/triggers', delivery: 'GET /v2/workspace/triggers/:id/deliveries' };
  return toErrorResponse(
    { error: `${what}_not_found`, detail: `The ${what} does not exist. ${lists[what]} lists the existing ones.` },
    404,
  );
}

/** Builds an error response. @param status HTTP status. Default: 400 */
export function toErrorResponse(
  { error, detail, field }: ErrorBody,
  status: FailureResponse['status'] = 400,
): FailureResponse {
  return { status, body: { error, detail, ...(field && { details: [{ field, message: detail }] }) } };
}

const text = (description: string, example: string) => ({ type: 'string', description, examples: [example] });
const textOrNull = (description: string) => ({ type: ['string', 'null'], description });
const timeOrNull = (description: string) => ({ type: ['string', 'null'], format: 'date-time', description });
const ok = { const: true, description: 'Always true: the change was made.' };

function object(properties: Readonly<Record<string, object>>, optional: readonly string[] = []) {
  return { type: 'object', required: Object.keys(properties).filter(name => !optional.includes(name)), properties };
}

const endpointFields = {
  id: { type: 'string', format: 'uuid', description: 'Unique identifier of the webhook endpoint.' },
  name: textOrNull('Display name. Null if none was given.'),
  url: text('URL that events are sent to. Empty while the endpoint is locked.', 'https://example.org/hooks'),
  events: { type: 'array', items: { type: 'string' }, description: 'Names of the events that are sent.' },
  filter: { type: 'object', additionalProperties: true, description: 'Conditions that an event must meet to be sent.' },
  headers: {
    type: 'array',
    items: { type: 'string' },
    description: 'Names of the headers that are added to each request. Values are never returned.',
  },
  format: text('Format of the messages, such as `standard` or `slack`.', 'standard'),
  active: { type: 'boolean', description: 'Whether events are sent to the endpoint.' },
};

const endpoint = object({
  ...endpointFields,
  state: {
    enum: ['active', 'paused', 'disabled', 'locked'],
    description:
      '`active`, `paused` by a user, `disabled` after failures, or `locked` while the hub lacks the key of its secret.',
  },
  reason: textOrNull('Why the endpoint is disabled or locked. Null otherwise.'),
  warning: textOrNull('Warning of an endpoint that is failing. Null if it is not.'),
  failing_since: timeOrNull('Time of the first failure since the last success, ISO 8601. Null if it is not failing.'),
  next_try_at: timeOrNull('Time before which nothing is sent, ISO 8601. Null if nothing is held back.'),
  last_success_at: timeOrNull('Time of the latest successful delivery, ISO 8601. Null if there was none.'),
  created_at: { type: 'string', format: 'date-time', description: 'Time at which the endpoint was created, ISO 8601.' },
  updated_at: { type: 'string', format: 'date-time', description: 'Time of the latest change, ISO 8601.' },
});

const attempt = object({
  at: { type: 'string', format: 'date-time', description: 'Time of the attempt, ISO 8601.' },
  ms: { type: 'number', description: 'Duration of the attempt in milliseconds.' },
  request: {
    ...object({
      method: { const: 'POST', description: 'Method of the request, always POST.' },
      url: text('URL of the request.', 'https://example.org/hooks'),
      headers: { type: 'array', items: { type: 'string' }, description: 'Names of the request headers.' },
    }),
    description: 'The request that was sent, without values of headers.',
  },
  status: { type: ['integer', 'null'], description: 'Status of the response. Null if there was none.' },
  response: textOrNull('Beginning of the response body. Null if there was none.'),
  error: textOrNull('Why there was no response. Null if there was one.'),
});

const delivery = object({
  id: text(
    'Unique identifier of the delivery; sorts by time.',
    '01795426200000000-01941f60-1c55-7a10-8a1b-9b6f0c2d4e11',
  ),
  message_id: text('Value of the `webhook-id` header.', 'msg_01941f60'),
  event: text('Name of the event.', 'reply.received'),
  entity_id: text('Contact, or run of a plugin, that the event is about.', '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17'),
  state: { enum: ['waiting', 'delivered', 'failed'], description: 'State of the delivery.' },
  created_at: { type: 'string', format: 'date-time', description: 'Time at which the delivery was created, ISO 8601.' },
  next_attempt_at: timeOrNull('Time of the next attempt, ISO 8601. Null unless the delivery is waiting.'),
  attempts_left: { type: 'integer', description: 'Number of attempts that are left.' },
  payload: text('Beginning of the request body.', '{"type":"reply.received"}'),
  attempts: { type: 'array', items: attempt, description: 'Latest attempts, newest last.' },
});

const secret = text('Signing secret. It is returned only in this response.', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');

/** Responses of the routes, by route. */
export const responses = {
  list: object({
    triggers: { type: 'array', items: endpoint, description: 'Webhook endpoints of the workspace.' },
    available_events: { type: 'array', items: { type: 'string' }, description: 'Events that can be subscribed to.' },
  }),
  create: object(
    {
      ok,
      trigger: {
        type: 'object',
        required: Object.keys(endpointFields).filter(name => name !== 'id'),
        properties: { ...endpoint.properties, secret },
        description: 'The endpoint with its signing secret. A dry run has neither ID nor secret.',
      },
      dry_run: { const: true, description: 'True if this was a dry run; omitted otherwise.' },
    },
    ['dry_run'],
  ),
  endpoint: object({ trigger: { ...endpoint, description: 'The webhook endpoint with its state.' } }),
  remove: object({ ok, id: text('ID of the deleted webhook endpoint.', '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17') }),
  rotate: object({
    ok,
    secret,
    previous_valid_until: timeOrNull('Time until which the previous secret also signs, ISO 8601. Null if it does not.'),
  }),
  test: object({
    delivered: { type: 'boolean', description: 'Whether the endpoint accepted the sample event.' },
    delivery: { ...delivery, description: 'The delivery of the sample event.' },
  }),
  deliveries: object({
    deliveries: { type: 'array', items: delivery, description: 'Deliveries of the endpoint, newest first.' },
    limit: { type: 'integer', description: 'Maximum number of deliveries on a page.' },
    has_more: { type: 'boolean', description: 'Whether another page exists.' },
    next_cursor: textOrNull('Cursor of the next page. Null on the last page.'),
  }),
  delivery: object({ delivery: { ...delivery, description: 'The delivery with its attempts.' } }),
  retry: object({ ok, delivery: { ...delivery, description: 'The delivery, which waits again.' } }),
  recover: object({
    ok,
    recovered: { type: 'integer', description: 'Number of deliveries that are sent again.' },
    has_more: { type: 'boolean', description: 'Whether more failed deliveries remain.' },
    next_since: timeOrNull('Value of `since` for the next call, ISO 8601. Null if nothing remains.'),
  }),
};
