import { randomUUID } from 'node:crypto';
import type { EntitySummary, EventMap, Json, InteractionRecord } from '@rapport/plugin-sdk';
import { truncate } from './delivery.js';
import type { InteractionEvent, RunEvent } from './filter.js';

/** Larger bodies are refused by receivers. */
export const MAX_MESSAGE_BYTES = 20_000;
const MAX_NAME_LENGTH = 300;
const MAX_DESCRIPTION_LENGTH = 1_000;
const MAX_ERROR_LENGTH = 2_000;

/** What is sent, by Standard Webhooks: what, when, and the facts. */
export type Message = {
  readonly type: string;
  /** ISO 8601: when it landed. */
  readonly timestamp: string;
  readonly data: MessageData;
};

/** The facts of a message. */
export type MessageData = {
  readonly observation: Omit<InteractionRecord['observation'], 'value'> & { readonly value: Json };
  readonly entity: {
    readonly id: string;
    readonly type: string;
    readonly name: string | null;
    readonly email: string | null;
    readonly title: string | null;
    readonly company: string | null;
  };
  readonly claims: Readonly<Record<string, { value: Json; confidence: number; freshness: string }>>;
  /** Something was left out to keep it small. */
  readonly truncated?: true;
};

/** The message of an interaction, with what is known of whom it is about, at most 20 kB as JSON. */
export function buildMessage({ event, recorded_at, observation }: InteractionRecord, entity: EntitySummary): Message {
  const { id, type, name, email, title, company } = entity;
  const claims = Object.entries(entity.claims).map(
    ([property, { value, confidence, freshness }]) => [property, { value, confidence, freshness }] as const,
  );
  const who = {
    id,
    type,
    name: truncateName(name),
    email: truncateName(email),
    title: truncateName(title),
    company: truncateName(company),
  };
  return fitToSize({
    type: event,
    timestamp: recorded_at,
    data: { observation, entity: who, claims: Object.fromEntries(claims) },
  });
}

/** The id of a message, the same at every delivery of it. @param key ID of the observation or the event */
export function toMessageId(key: string): string {
  return `msg_${key.replaceAll(/[^A-Za-z0-9]/g, '')}`;
}

/** The largest claims go first, then the details of the observation except its sentence. */
export function fitToSize(message: Message): Message {
  const over = () => countBytes(stored()) - MAX_MESSAGE_BYTES;
  const { observation, entity, claims } = message.data;
  const remaining = new Map(Object.entries(claims));
  let details: Json = observation.value;
  let truncated = false;
  const stored = (): Message => ({
    ...message,
    data: {
      observation: { ...observation, value: details },
      entity,
      claims: Object.fromEntries(remaining),
      ...(truncated && { truncated }),
    },
  });
  if (over() <= 0) return stored();
  truncated = true;
  const largestFirst = [...remaining].toSorted(([, a], [, b]) => countBytes(b) - countBytes(a));
  if (countBytes(details) > MAX_MESSAGE_BYTES / 2) details = keepDescription(details);
  for (let excess = over(); excess > 0 && largestFirst.length > 0; excess = over()) {
    for (let gone = 0; gone < excess && largestFirst.length > 0;) {
      const [property, claim] = largestFirst.shift()!;
      gone += countBytes(claim);
      remaining.delete(property);
    }
  }
  return stored();
}

/** The sentence for people in the details of an observation; null when there is none. */
export function readDescription(value: Json): string | null {
  const { description } = typeof value === 'object' && value !== null && 'description' in value ? value : {};
  return typeof description === 'string' ? description : null;
}

function keepDescription(value: Json): Json {
  const words = readDescription(value);
  return words === null ? null : { description: truncate(words, MAX_DESCRIPTION_LENGTH) };
}

function truncateName(text: string | null): string | null {
  return text === null ? null : truncate(text, MAX_NAME_LENGTH);
}

function countBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

const PROPERTIES: Readonly<Record<InteractionEvent, string>> = {
  'reply.received': 'interaction.email_replied',
  'connection.accepted': 'interaction.connection_accepted',
  'meeting.scheduled': 'interaction.meeting_scheduled',
  'meeting.cancelled': 'interaction.meeting_cancelled',
};

const PERSON = {
  id: '00000000-0000-7000-8000-000000000000',
  type: 'person',
  name: 'Ada Byron',
  email: 'ada@example.org',
  title: 'CFO',
  company: 'Example',
  claims: { title: { value: 'CFO', confidence: 0.9, freshness: 'fresh', epistemic_class: 'observed' } },
} as const;

/** A message such as a real one, about somebody who is not there. */
export function buildInteractionSample(event: InteractionEvent, now: string): Message {
  const landed: InteractionRecord = {
    event,
    entity_id: PERSON.id,
    recorded_at: now,
    observation: {
      id: randomUUID(),
      kind: 'event',
      property: PROPERTIES[event],
      value: { description: 'This is a test of your trigger.', test: true },
      source: 'triggers',
      method: 'test',
      observed_at: now,
      external_id: null,
    },
  };
  return buildMessage(landed, PERSON);
}

/** What is sent when a run of a plugin failed. */
export type RunMessage = {
  readonly type: RunEvent;
  /** ISO 8601: when it failed. */
  readonly timestamp: string;
  readonly data: {
    readonly run: {
      readonly id: string;
      readonly plugin: string;
      readonly name: string;
      readonly title: string;
      readonly connection_id: string | null;
      /** How far it came, in its own unit, such as rows. */
      readonly done: number;
      /** Number of rows that it did not take. */
      readonly reported: number;
      readonly error: string;
    };
  };
};

/** Builds the message of a failed run: `sync.failed` for one that syncs, else `run.failed`. */
export function buildRunMessage(facts: EventMap['run.failed'], timestamp: string): RunMessage {
  const { run_id, plugin, run: name, title, sync, connection_id, done, reported, error } = facts;
  const run = { id: run_id, plugin, name, title, connection_id, done, reported };
  const data = { run: { ...run, error: truncate(error, MAX_ERROR_LENGTH) } };
  return { type: sync ? 'sync.failed' : 'run.failed', timestamp, data };
}

/** A message such as a real one, about a run that is not there. */
export function buildRunSample(event: RunEvent, now: string): RunMessage {
  const facts = {
    run_id: '00000000-0000-7000-8000-000000000000',
    plugin: 'triggers',
    run: 'sync',
    title: 'Test of your trigger',
    sync: event === 'sync.failed',
    connection_id: null,
    done: 120,
    reported: 3,
    error: 'This is a test of your trigger.',
  };
  return buildRunMessage(facts, now);
}
