import { Ajv2020 } from 'ajv/dist/2020.js';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * The requests that the provider takes of us, in our own words after what it publishes: the OpenAPI document of its
 * repository (`docs/api-reference/v2/openapi.json` of calcom/cal.com: webhooks of a user, `take` and `skip`, the inputs of a
 * webhook, its triggers) and its reference of `GET /v2/bookings` at version 2026-05-01 (filters, `cursor`, `limit`). Narrower
 * than these only where they allow what we never send.
 */
interface Described {
  readonly method: string;
  readonly path: RegExp;
  /** Of the bookings alone: other calls declare no version. */
  readonly version?: string;
  readonly query?: object;
  readonly body?: object;
}

/** A request as it came. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const TRIGGERS = [
  'BOOKING_CREATED',
  'BOOKING_PAYMENT_INITIATED',
  'BOOKING_PAID',
  'BOOKING_RESCHEDULED',
  'BOOKING_REQUESTED',
  'BOOKING_CANCELLED',
  'BOOKING_REJECTED',
  'BOOKING_NO_SHOW_UPDATED',
  'FORM_SUBMITTED',
  'MEETING_ENDED',
  'MEETING_STARTED',
  'RECORDING_READY',
  'INSTANT_MEETING',
];
const webhook = {
  active: { type: 'boolean' },
  subscriberUrl: { type: 'string', minLength: 1 },
  triggers: { type: 'array', items: { enum: TRIGGERS } },
  secret: { type: 'string' },
  payloadTemplate: { type: 'string' },
  version: { const: '2021-10-20' },
};
const numeral = (least: number, most: number) => ({ type: 'integer', minimum: least, maximum: most });
const instant = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' };
const closed = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const bookings = {
  attendeeEmail: { type: 'string', pattern: '^[^@\\s]+@[^@\\s]+$' },
  attendeeName: { type: 'string' },
  bookingUid: { type: 'string' },
  status: { enum: ['upcoming', 'recurring', 'past', 'cancelled', 'unconfirmed'] },
  afterStart: instant,
  beforeEnd: instant,
  afterCreatedAt: instant,
  beforeCreatedAt: instant,
  afterUpdatedAt: instant,
  beforeUpdatedAt: instant,
  cursor: { type: 'string', minLength: 1 },
  limit: numeral(1, 100),
  // Of the version before, which hosts of their own still serve.
  take: numeral(1, 250),
  skip: numeral(0, 1_000_000),
};

const REQUESTS: readonly Described[] = [
  { method: 'GET', path: /^\/v2\/me$/ },
  { method: 'POST', path: /^\/v2\/webhooks$/, body: closed(webhook, ['active', 'subscriberUrl', 'triggers']) },
  { method: 'GET', path: /^\/v2\/webhooks$/, query: closed({ take: numeral(1, 250), skip: numeral(0, 1_000_000) }) },
  { method: 'GET', path: /^\/v2\/webhooks\/[^/]+$/ },
  { method: 'PATCH', path: /^\/v2\/webhooks\/[^/]+$/, body: closed(webhook) },
  { method: 'DELETE', path: /^\/v2\/webhooks\/[^/]+$/ },
  { method: 'GET', path: /^\/v2\/bookings$/, version: '2026-05-01', query: closed(bookings) },
];

const ajv = new Ajv2020({ allErrors: true, coerceTypes: true });
const nothing = closed({});

/** What is wrong with a request by what the provider publishes; undefined when nothing is. */
export function faultIn({ method, path, query, headers, body }: Sent): string | undefined {
  const described = REQUESTS.find(each => each.method === method && each.path.test(path));
  if (!described) return `Cannot ${method} ${path}`;
  if (!/^Bearer \S+$/.test(headers.authorization ?? '')) return 'authorization must be a bearer token';
  const version = headers['cal-api-version'];
  if (version !== described.version)
    return `cal-api-version must be ${described.version ?? 'left out'}, not ${version}`;
  if (new Set(query.keys()).size < query.size) return 'a parameter is given twice';
  const requests = faultBy('query', described.query ?? nothing, Object.fromEntries(query));
  if (requests !== undefined || !described.body) return requests ?? (body === '' ? undefined : 'there must be no body');
  if (!headers['content-type']?.startsWith('application/json')) return 'the body must be application/json';
  return faultBy('body', described.body, JSON.parse(body));
}

function faultBy(what: string, schema: object, value: unknown): string | undefined {
  const validate = ajv.compile(schema);
  return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: what });
}
