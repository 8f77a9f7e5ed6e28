import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { MAX_TRIGGER_URL_LENGTH } from './triggers.dto.js';

const EXAMPLE_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const EXAMPLE_DELIVERY_ID = '01795426200000000-01941f60-1c55-7a10-8a1b-9b6f0c2d4e11';
const EXAMPLE_TIME = '2026-11-20T09:30:00.000Z';

/** A webhook endpoint as the API shows it. Times are ISO 8601. */
export class Trigger {
  @ApiProperty({ description: 'Unique identifier of the webhook endpoint.', format: 'uuid', example: EXAMPLE_ID })
  id: string;
  @ApiProperty({ description: 'Display name of the endpoint.', type: String, nullable: true, example: 'Slack' })
  name: string | null;
  @ApiProperty({
    description: 'URL that events are sent to.',
    maxLength: MAX_TRIGGER_URL_LENGTH,
    example: 'https://example.org/hooks',
  })
  url: string;
  @ApiProperty({
    description: 'Names of the events that are sent.',
    type: [String],
    maxItems: 50,
    example: ['reply.received'],
  })
  events: string[];
  @ApiProperty({
    description: 'Conditions that an event must meet to be sent; empty for every event.',
    type: 'object',
    additionalProperties: true,
    example: {},
  })
  filter: object;
  @ApiProperty({
    description: 'Names of the headers that are sent with every request. Their values are never returned.',
    type: [String],
    maxItems: 20,
    example: ['X-Team'],
  })
  headers: string[];
  @ApiProperty({ description: 'Format of the payload.', enum: ['standard', 'slack'], example: 'standard' })
  format: string;
  @ApiProperty({ description: 'Whether events are delivered: neither paused nor disabled.', example: true })
  active: boolean;
  @ApiProperty({
    description:
      '`active`; `paused` by PATCH; `disabled` by the hub because the receiver is gone or has failed for five days; `locked` while the hub lacks the key that its secret is sealed with.',
    enum: ['active', 'paused', 'disabled', 'locked'],
    example: 'active',
  })
  state: string;
  @ApiProperty({
    description: 'Why the endpoint is disabled or locked; null otherwise.',
    type: String,
    nullable: true,
    example: null,
  })
  reason: string | null;
  @ApiProperty({
    description: 'Warning that the endpoint will be disabled if it keeps failing; null otherwise.',
    type: String,
    nullable: true,
    example: null,
  })
  warning: string | null;
  @ApiProperty({
    description: 'Time since which no delivery has succeeded; null if the latest one did.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
  })
  failing_since: string | null;
  @ApiProperty({
    description: 'Time of the next attempt while the endpoint is paused after failures; null otherwise.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
  })
  next_try_at: string | null;
  @ApiProperty({
    description: 'Time of the latest successful delivery; null if there was none.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: EXAMPLE_TIME,
  })
  last_success_at: string | null;
  @ApiProperty({ description: 'Time at which the endpoint was created.', format: 'date-time', example: EXAMPLE_TIME })
  created_at: string;
  @ApiProperty({
    description: 'Time at which the endpoint was last changed.',
    format: 'date-time',
    example: EXAMPLE_TIME,
  })
  updated_at: string;
}

/** A new webhook endpoint with its signing secret. A dry run has neither ID nor secret. */
export class CreatedTrigger extends Trigger {
  @ApiPropertyOptional({
    description: 'Secret that signs the messages (Standard Webhooks). Returned only here; store it.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  secret?: string;
}

/** Response of GET /v2/workspace/triggers. */
export class TriggerList {
  @ApiProperty({ description: 'Webhook endpoints of the workspace.', type: [Trigger], maxItems: 1000 })
  triggers: Trigger[];
  @ApiPropertyOptional({
    type: [String],
    maxItems: 100,
    description: 'Event names that can be subscribed to.',
    example: ['reply.received'],
  })
  available_events?: string[];
}

/** Response of GET and PATCH /v2/workspace/triggers/:id. */
export class TriggerResult {
  @ApiProperty({ description: 'The webhook endpoint with its state.', type: Trigger })
  trigger: Trigger;
}

/** Response of POST /v2/workspace/triggers. */
export class SetTriggerResult {
  @ApiPropertyOptional({ description: 'Whether the endpoint was created.', example: true }) ok?: boolean;
  @ApiPropertyOptional({
    description: 'The endpoint with its signing secret. The secret is returned only in this response.',
    type: CreatedTrigger,
  })
  trigger?: CreatedTrigger;
  @ApiPropertyOptional({ description: 'True if this was a dry run; omitted otherwise.', example: false })
  dry_run?: boolean;
}

/** Response of DELETE /v2/workspace/triggers/:id. */
export class RemovedTrigger {
  @ApiProperty({ description: 'Always true: the endpoint no longer exists.', example: true }) ok: boolean;
  @ApiProperty({ description: 'Unique identifier of the deleted endpoint.', format: 'uuid', example: EXAMPLE_ID })
  id: string;
}

/** Response of POST /v2/workspace/triggers/:id/rotate-secret. */
export class RotatedTriggerSecret {
  @ApiProperty({ description: 'Always true: the new secret signs from now on.', example: true }) ok: boolean;
  @ApiProperty({
    description: 'The new signing secret. Returned only here; store it.',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  })
  secret: string;
  @ApiProperty({
    description: 'Time until which the previous secret signs as well; null if it is no longer valid.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: EXAMPLE_TIME,
  })
  previous_valid_until: string | null;
}

/** The request of an attempt, without the values of its headers. */
export class TriggerAttemptRequest {
  @ApiProperty({ description: 'HTTP method of the request.', enum: ['POST'], example: 'POST' }) method: string;
  @ApiProperty({ description: 'URL of the request.', example: 'https://example.org/hooks' }) url: string;
  @ApiProperty({
    description: 'Names of the headers that were sent.',
    type: [String],
    maxItems: 40,
    example: ['webhook-id'],
  })
  headers: string[];
}

/** An attempt to deliver a message. */
export class TriggerAttempt {
  @ApiProperty({ description: 'Time of the attempt.', format: 'date-time', example: EXAMPLE_TIME }) at: string;
  @ApiProperty({ description: 'Duration of the attempt in milliseconds.', example: 84 }) ms: number;
  @ApiProperty({ description: 'The request that was sent.', type: TriggerAttemptRequest })
  request: TriggerAttemptRequest;
  @ApiProperty({
    description: 'HTTP status of the receiver; null if there was no response.',
    type: Number,
    nullable: true,
    example: 200,
  })
  status: number | null;
  @ApiProperty({
    description: "Beginning of the receiver's response with secrets redacted; null if there was none.",
    type: String,
    nullable: true,
    example: 'ok',
  })
  response: string | null;
  @ApiProperty({
    description: 'Why there was no response; null otherwise.',
    type: String,
    nullable: true,
    example: null,
  })
  error: string | null;
}

/** A message on its way to a webhook endpoint. */
export class TriggerDelivery {
  @ApiProperty({
    description: 'Identifier of the delivery; sorts by the time at which the event was recorded.',
    example: EXAMPLE_DELIVERY_ID,
  })
  id: string;
  @ApiProperty({ description: 'Value of the header `webhook-id`, the same for each attempt.', example: 'msg_7f3b2c' })
  message_id: string;
  @ApiProperty({ description: 'Name of the event.', example: 'reply.received' }) event: string;
  @ApiProperty({
    description: 'Contact, company or run of a plugin that the event is about.',
    example: '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17',
  })
  entity_id: string;
  @ApiProperty({
    description: '`waiting` for an attempt, `delivered`, or `failed` after the last attempt.',
    enum: ['waiting', 'delivered', 'failed'],
    example: 'delivered',
  })
  state: string;
  @ApiProperty({ description: 'Time at which the delivery was created.', format: 'date-time', example: EXAMPLE_TIME })
  created_at: string;
  @ApiProperty({
    description: 'Time of the next attempt; null unless the delivery is waiting.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
  })
  next_attempt_at: string | null;
  @ApiProperty({ description: 'Number of attempts that remain; 0 unless the delivery is waiting.', example: 0 })
  attempts_left: number;
  @ApiProperty({
    description: 'Beginning of the payload, up to 1,000 characters.',
    example: '{"type":"reply.received"}',
  })
  payload: string;
  @ApiProperty({ description: 'The latest attempts, oldest first.', type: [TriggerAttempt], maxItems: 15 })
  attempts: TriggerAttempt[];
}

/** Response of GET /v2/workspace/triggers/:id/deliveries. */
export class TriggerDeliveryPage {
  @ApiProperty({ description: 'Deliveries on this page, newest first.', type: [TriggerDelivery], maxItems: 100 })
  deliveries: TriggerDelivery[];
  @ApiProperty({ description: 'Maximum number of deliveries on this page.', example: 50 }) limit: number;
  @ApiProperty({ description: 'Whether there are more deliveries.', example: false }) has_more: boolean;
  @ApiProperty({
    description: 'Cursor of the next page; null on the last one.',
    type: String,
    nullable: true,
    example: null,
  })
  next_cursor: string | null;
}

/** Response of GET /v2/workspace/triggers/:id/deliveries/:delivery. */
export class TriggerDeliveryResult {
  @ApiProperty({ description: 'The delivery with its attempts.', type: TriggerDelivery })
  delivery: TriggerDelivery;
}

/** Response of POST /v2/workspace/triggers/:id/deliveries/:delivery/retry. */
export class RetriedTriggerDelivery extends TriggerDeliveryResult {
  @ApiProperty({ description: 'Always true: the delivery waits for its next attempt.', example: true }) ok: boolean;
}

/** Response of POST /v2/workspace/triggers/:id/test. */
export class TestedTrigger extends TriggerDeliveryResult {
  @ApiProperty({ description: 'Whether the receiver accepted the sample with a status of 2xx.', example: true })
  delivered: boolean;
}

/** Response of POST /v2/workspace/triggers/:id/recover. */
export class RecoveredTrigger {
  @ApiProperty({ description: 'Always true: the deliveries wait for their next attempt.', example: true }) ok: boolean;
  @ApiProperty({ description: 'Number of deliveries that are sent again.', example: 3 }) recovered: number;
  @ApiProperty({ description: 'Whether failed deliveries remain; continue from `next_since`.', example: false })
  has_more: boolean;
  @ApiProperty({
    description: '`since` for the next call; null if nothing remains.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
  })
  next_since: string | null;
}
