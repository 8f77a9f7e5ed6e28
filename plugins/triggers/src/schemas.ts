import { readDescription, type Message, type RunMessage } from './message.js';
import { EVENTS } from './filter.js';

const ISO = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** A date or a time in ISO 8601, which is UTC unless it says otherwise, as UTC with milliseconds; undefined for what is none. */
export function parseInstant(text: string): string | undefined {
  const [match, zone] = ISO.exec(text) ?? [];
  if (match === undefined) return undefined;
  const at = Date.parse(match.includes('T') && zone === undefined ? `${match}Z` : match);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** How a message is written. */
export type Format = 'standard' | 'slack';

/** All of them. */
export const FORMATS = ['standard', 'slack'] as const;

/** The body of a message. */
export function formatBody(format: Format, message: Message | RunMessage): string {
  return JSON.stringify(format === 'slack' ? toSlackMessage(message) : message);
}

const EVENT_LABELS: Readonly<Record<string, string>> = {
  'reply.received': 'Reply received',
  'connection.accepted': 'Connection accepted',
  'meeting.scheduled': 'Meeting scheduled',
  'meeting.cancelled': 'Meeting cancelled',
  'run.failed': 'Run failed',
  'sync.failed': 'Sync failed',
};

/** What an incoming webhook of Slack takes: a line of text. Links and mentions in what people wrote do nothing. */
export function toSlackMessage({ type, data }: Message | RunMessage): { readonly text: string } {
  const label = EVENT_LABELS[type] ?? escapeMarkup(type);
  if ('run' in data)
    return { text: `*${label}* · ${escapeMarkup(`${data.run.title} (${data.run.plugin}): ${data.run.error}`)}` };
  const { entity, observation } = data;
  const who = entity.name ?? entity.email ?? 'Somebody';
  const role = [entity.title, entity.company].filter(part => part !== null).join(', ');
  const words = readDescription(observation.value);
  const line = `${escapeMarkup(who)}${role ? ` (${escapeMarkup(role)})` : ''}${words ? `: ${escapeMarkup(words)}` : ''}`;
  return { text: `*${label}* · ${line}` };
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const number = (description: string) => ({ type: 'number', description });

const condition = {
  type: 'object',
  additionalProperties: false,
  description: 'Conditions on a claim. All given conditions must hold.',
  properties: {
    eq: { description: 'The value equals this one.' },
    ne: { description: 'The value differs from this one, or there is none.' },
    in: { type: 'array', maxItems: 100, items: {}, description: 'The value is one of these.' },
    contains: { type: 'string', maxLength: 200, description: 'The text contains this text, in any case.' },
    gt: number('The number is greater than this one.'),
    gte: number('The number is at least this one.'),
    lt: number('The number is less than this one.'),
    lte: number('The number is at most this one.'),
    exists: { type: 'boolean', description: 'Whether the claim must exist. Default: true.' },
    min_confidence: { type: 'number', minimum: 0, maximum: 1, description: 'Minimum confidence of the claim, 0 to 1.' },
    fresh: { type: 'boolean', description: 'Set to true to require a fresh claim.' },
  },
};

const filter = {
  type: 'object',
  additionalProperties: false,
  description: 'Conditions that an event about a contact must meet to be sent. All must hold. Default: every event.',
  properties: {
    claims: {
      type: 'object',
      maxProperties: 20,
      propertyNames: { pattern: '^[a-z][a-z0-9_.-]{0,79}$' },
      additionalProperties: condition,
      description: 'Conditions on claims of the entity, by property.',
    },
    entity_type: { enum: ['person', 'company'], description: 'Only events of entities of this type.' },
    sources: {
      type: 'array',
      maxItems: 50,
      items: { type: 'string', maxLength: 100 },
      description: 'Only events from these sources.',
    },
  },
};

const fields = {
  url: {
    type: 'string',
    minLength: 1,
    maxLength: 2048,
    description: 'HTTPS URL that events are sent to. Its host must resolve to a public address.',
  },
  events: {
    type: 'array',
    minItems: 1,
    maxItems: 50,
    items: { type: 'string', maxLength: 80 },
    description: `Events to send: ${EVENTS.join(', ')}.`,
  },
  name: { type: ['string', 'null'], minLength: 1, maxLength: 200, description: 'Display name of the endpoint.' },
  filter,
  headers: {
    type: 'object',
    maxProperties: 20,
    additionalProperties: { type: 'string', maxLength: 1000 },
    description: 'Headers to send with every request. Their values are never returned.',
  },
  format: {
    enum: [...FORMATS],
    description: 'Payload format: `standard` (Standard Webhooks), or `slack` for an incoming webhook of Slack.',
  },
  active: {
    type: 'boolean',
    description:
      'Set to false to pause delivery; events wait. Set to true to resume, also after the endpoint was disabled.',
  },
};

/** Body of POST triggers. */
export const createSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['url', 'events'],
  properties: {
    ...fields,
    dry_run: { type: 'boolean', description: 'Set to true to validate the endpoint without creating it.' },
  },
  examples: [{ url: 'https://example.org/hooks', events: ['reply.received', 'meeting.scheduled'], name: 'Sales room' }],
};

/** Body of PATCH triggers/:id. */
export const changeSchema = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: fields,
  examples: [{ active: false }],
};

/** Body of POST triggers/:id/rotate-secret. */
export const rotateSchema = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: {
    overlap_hours: {
      type: 'number',
      minimum: 0,
      maximum: 168,
      description: 'Hours for which the old secret stays valid beside the new one.',
    },
  },
  examples: [{ overlap_hours: 24 }],
};

/** Body of POST triggers/:id/test. */
export const testSchema = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: { event: { enum: [...EVENTS], description: 'Event to send a sample of.' } },
  examples: [{ event: 'reply.received' }],
};

/** Body of POST triggers/:id/recover. */
export const recoverSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['since'],
  properties: {
    since: {
      type: 'string',
      maxLength: 40,
      description: 'Resend deliveries that failed since this time, ISO 8601; at most 30 days ago.',
    },
  },
  examples: [{ since: '2026-11-18T09:00:00Z' }],
};

/** Query of GET triggers/:id/deliveries. */
export const pageSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    limit: {
      type: 'string',
      maxLength: 10,
      description: 'Maximum number of deliveries on a page, up to 100. Default: 50.',
    },
    cursor: { type: 'string', maxLength: 100, description: '`next_cursor` of the previous page.' },
  },
};
