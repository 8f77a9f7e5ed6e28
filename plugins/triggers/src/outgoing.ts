import { randomUUID } from 'node:crypto';
import { type Delivery, deliveryId } from './delivery.js';
import type { Endpoint } from './endpoint.js';
import { RUN_EVENTS, type InteractionEvent, type TriggerEvent } from './filter.js';
import { buildInteractionSample, buildRunSample, type Message, type RunMessage, toMessageId } from './message.js';
import { formatBody } from './schemas.js';

/** A message before it is addressed. */
export interface Outgoing {
  readonly message: Message | RunMessage;
  /** ID of the observation or the event; each is sent once. */
  readonly key: string;
  /** ID of the entity or the run; messages with the same one are sent in order. */
  readonly subjectId: string;
}

/** Creates a delivery that is due now. */
export function buildDelivery(
  { message, key, subjectId }: Outgoing,
  { format }: Pick<Endpoint, 'format'>,
  now: string,
): Delivery {
  return {
    id: deliveryId(message.timestamp, key),
    message_id: toMessageId(key),
    event: message.type,
    entity_id: subjectId,
    body: formatBody(format, message),
    state: 'waiting',
    failures: 0,
    next_at: now,
    created_at: now,
    attempts: [],
  };
}

/** Creates a message such as a real one, for a test of an endpoint. */
export function buildSample(event: TriggerEvent, now: string): Outgoing {
  const runEvent = RUN_EVENTS.find(each => each === event);
  if (runEvent) {
    const message = buildRunSample(runEvent, now);
    return { message, key: randomUUID(), subjectId: message.data.run.id };
  }
  const message = buildInteractionSample(event as InteractionEvent, now);
  return { message, key: message.data.observation.id, subjectId: message.data.entity.id };
}
