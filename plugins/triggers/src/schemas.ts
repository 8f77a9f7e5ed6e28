import { EVENTS } from './events.js';
import { FORMATS } from './formats.js';

const numbers = { type: 'number' };
const anything = {};

const condition = {
  type: 'object',
  additionalProperties: false,
  description: 'What must hold of a claim; everything that is given must.',
  properties: {
    eq: anything,
    ne: anything,
    in: { type: 'array', maxItems: 100, items: anything },
    contains: { type: 'string', maxLength: 200 },
    gt: numbers,
    gte: numbers,
    lt: numbers,
    lte: numbers,
    exists: { type: 'boolean' },
    min_confidence: { type: 'number', minimum: 0, maximum: 1 },
    fresh: { type: 'boolean' },
  },
};

const filter = {
  type: 'object',
  additionalProperties: false,
  description: 'Only events that fit all of it.',
  properties: {
    claims: {
      type: 'object',
      maxProperties: 20,
      propertyNames: { pattern: '^[a-z][a-z0-9_.-]{0,79}$' },
      additionalProperties: condition,
    },
    entity_type: { enum: ['person', 'company'] },
    sources: { type: 'array', maxItems: 50, items: { type: 'string', maxLength: 100 } },
  },
};

const fields = {
  url: { type: 'string', minLength: 1, maxLength: 2048, description: 'Where events are sent to; https.' },
  events: {
    type: 'array',
    minItems: 1,
    maxItems: 50,
    items: { type: 'string', maxLength: 80 },
    description: `Of ${EVENTS.join(', ')}.`,
  },
  name: { type: ['string', 'null'], minLength: 1, maxLength: 200, description: 'What it is called.' },
  filter,
  headers: {
    type: 'object',
    maxProperties: 20,
    additionalProperties: { type: 'string', maxLength: 1000 },
    description: 'Sent with every request; their values are never shown again.',
  },
  format: { enum: [...FORMATS], description: 'standard, or a line of text for an incoming webhook of Slack.' },
  active: { type: 'boolean', description: 'false keeps events waiting; true begins anew after it was disabled.' },
};

/** Of POST triggers. */
export const createSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['url', 'events'],
  properties: { ...fields, dry_run: { type: 'boolean', description: 'Check it, and set nothing.' } },
  examples: [{ url: 'https://example.org/hooks', events: ['reply.received', 'meeting.scheduled'], name: 'Sales room' }],
};

/** Of PATCH triggers/:id. */
export const changeSchema = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: fields,
  examples: [{ active: false }],
};

/** Of POST triggers/:id/rotate-secret. */
export const rotateSchema = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: { overlap_hours: { type: 'number', minimum: 0, maximum: 168, description: 'How long both are valid.' } },
  examples: [{ overlap_hours: 24 }],
};

/** Of POST triggers/:id/test. */
export const testSchema = {
  type: ['object', 'null'],
  additionalProperties: false,
  properties: { event: { enum: [...EVENTS] } },
  examples: [{ event: 'reply.received' }],
};

/** Of POST triggers/:id/recover. */
export const recoverSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['since'],
  properties: { since: { type: 'string', maxLength: 40, description: 'ISO 8601; at most 30 days back.' } },
  examples: [{ since: '2026-11-18T09:00:00Z' }],
};

/** Of GET triggers/:id/deliveries. */
export const pageSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    limit: { type: 'string', maxLength: 10, description: 'How many, 50 if nothing is said and 100 at most.' },
    cursor: { type: 'string', maxLength: 100, description: 'The next_cursor of the page before.' },
  },
};
