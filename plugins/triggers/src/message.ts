import type { FoundEntity, Json, LandedInteraction } from '@rapport/plugin-sdk';
import { beginningOf } from './beginning.js';

/** Larger bodies are refused by receivers. */
export const MOST_BYTES = 20_000;
const LONGEST_NAME = 300;
const LONGEST_WORDS = 1_000;

/** What is sent, by Standard Webhooks: what, when, and the facts. */
export type Message = {
  readonly type: string;
  /** ISO 8601: when it landed. */
  readonly timestamp: string;
  readonly data: MessageData;
};

/** The facts of a message. */
export type MessageData = {
  readonly observation: Omit<LandedInteraction['observation'], 'value'> & { readonly value: Json };
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
export function messageOf({ event, recorded_at, observation }: LandedInteraction, entity: FoundEntity): Message {
  const { id, type, name, email, title, company } = entity;
  const claims = Object.entries(entity.claims).map(
    ([property, { value, confidence, freshness }]) => [property, { value, confidence, freshness }] as const,
  );
  const who = { id, type, name: short(name), email: short(email), title: short(title), company: short(company) };
  return fitted({
    type: event,
    timestamp: recorded_at,
    data: { observation, entity: who, claims: Object.fromEntries(claims) },
  });
}

/** The id of a message, the same at every delivery of it. */
export function messageId(observationId: string): string {
  return `msg_${observationId.replaceAll(/[^A-Za-z0-9]/g, '')}`;
}

/** The largest claims go first, then the details of the observation except its sentence. */
export function fitted(message: Message): Message {
  const over = () => bytesOf(kept()) - MOST_BYTES;
  const { observation, entity, claims } = message.data;
  const standing = new Map(Object.entries(claims));
  let details: Json = observation.value;
  let truncated = false;
  const kept = (): Message => ({
    ...message,
    data: {
      observation: { ...observation, value: details },
      entity,
      claims: Object.fromEntries(standing),
      ...(truncated && { truncated }),
    },
  });
  if (over() <= 0) return kept();
  truncated = true;
  const largestFirst = [...standing].toSorted(([, a], [, b]) => bytesOf(b) - bytesOf(a));
  if (bytesOf(details) > MOST_BYTES / 2) details = wordsOf(details);
  for (let excess = over(); excess > 0 && largestFirst.length > 0; excess = over()) {
    for (let gone = 0; gone < excess && largestFirst.length > 0;) {
      const [property, claim] = largestFirst.shift()!;
      gone += bytesOf(claim);
      standing.delete(property);
    }
  }
  return kept();
}

/** The sentence for people in the details of an observation; null when there is none. */
export function descriptionOf(value: Json): string | null {
  const { description } = typeof value === 'object' && value !== null && 'description' in value ? value : {};
  return typeof description === 'string' ? description : null;
}

function wordsOf(value: Json): Json {
  const words = descriptionOf(value);
  return words === null ? null : { description: beginningOf(words, LONGEST_WORDS) };
}

function short(text: string | null): string | null {
  return text === null ? null : beginningOf(text, LONGEST_NAME);
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
