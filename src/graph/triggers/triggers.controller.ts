import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { Scopes, CurrentCaller } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { TriggersService } from './triggers.service.js';
import {
  ChangeTrigger,
  RecoverTrigger,
  RotateTriggerSecret,
  SetTrigger,
  TestTrigger,
  TriggerDeliveriesQuery,
} from './triggers.dto.js';
import {
  RecoveredTrigger,
  RemovedTrigger,
  RetriedTriggerDelivery,
  RotatedTriggerSecret,
  SetTriggerResult,
  TestedTrigger,
  TriggerDeliveryPage,
  TriggerDeliveryResult,
  TriggerList,
  TriggerResult,
} from './trigger-responses.dto.js';

type Response = Promise<HandlerResponse<unknown>>;

const TRIGGER_ID = {
  name: 'id',
  description: 'Unique identifier of the webhook endpoint.',
  schema: { type: 'string', format: 'uuid' },
} as const;
const DELIVERY_ID = {
  name: 'delivery',
  description: 'Identifier of the delivery, from the list of deliveries.',
  schema: { type: 'string', maxLength: 80 },
} as const;
const NOT_FOUND = 'Returns 404 `trigger_not_found` if the endpoint does not exist.';

/** Endpoints for webhook triggers, which the plugin `triggers` stores. */
@ApiTags('Triggers')
@Controller('v2/workspace/triggers')
export class TriggersController {
  constructor(private readonly triggers: TriggersService) {}

  @Get()
  @Operation({
    id: 'listTriggers',
    summary: 'List webhook endpoints',
    description:
      'Lists the webhook endpoints of the workspace and the events that can be subscribed to. Returns 409 ' +
      '`plugin_not_installed` if the triggers plugin is not installed.',
    response: { type: TriggerList, description: 'The webhook endpoints.' },
  })
  list(@CurrentCaller() caller: Caller): Response {
    return this.triggers.list(caller);
  }

  @Post()
  @Scopes('settings')
  @Operation({
    id: 'setTrigger',
    summary: 'Create a webhook endpoint',
    description:
      'Creates a webhook endpoint that receives signed events, up to 50 per workspace. The signing secret is returned ' +
      'only in this response; store it. Returns 400 `url_and_events_required` if one is missing, 400 `invalid_url` if ' +
      'the URL is not HTTPS or its host does not resolve to a public address, 409 `too_many_triggers`, and 409 ' +
      '`plugin_not_installed` if the triggers plugin is not installed.',
    status: 201,
    existingDescription: 'The endpoint that would be created, for a dry run.',
    body: { type: SetTrigger, example: { url: 'https://example.org/hooks', events: ['reply.received'] } },
    response: { type: SetTriggerResult, description: 'The webhook endpoint and its signing secret.' },
    isIdempotent: true,
  })
  set(
    @CurrentCaller() caller: Caller,
    @Body() body: SetTrigger,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Response {
    return this.triggers.set(caller, body, key);
  }

  @Get(':id')
  @ApiParam(TRIGGER_ID)
  @Operation({
    id: 'getTrigger',
    summary: 'Get a webhook endpoint',
    description: `Returns one webhook endpoint with its state, its health and its latest success. ${NOT_FOUND}`,
    response: { type: TriggerResult, description: 'The webhook endpoint.' },
  })
  read(@CurrentCaller() caller: Caller, @Param('id') id: string): Response {
    return this.triggers.read(caller, id);
  }

  @Patch(':id')
  @Scopes('settings')
  @ApiParam(TRIGGER_ID)
  @Operation({
    id: 'updateTrigger',
    summary: 'Update, pause or resume a webhook endpoint',
    description:
      'Changes the fields that are given. `active: false` pauses delivery and events wait; `active: true` resumes it, ' +
      `also after the hub disabled the endpoint. ${NOT_FOUND}`,
    response: { type: TriggerResult, description: 'The changed webhook endpoint.' },
    isIdempotent: true,
  })
  change(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: ChangeTrigger,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Response {
    return this.triggers.change(caller, id, body, key);
  }

  @Delete(':id')
  @Scopes('settings')
  @ApiParam(TRIGGER_ID)
  @Operation({
    id: 'deleteTrigger',
    summary: 'Delete a webhook endpoint',
    description: `Deletes the endpoint and the deliveries that wait for it. ${NOT_FOUND}`,
    response: { type: RemovedTrigger, description: 'The endpoint was deleted.' },
    isIdempotent: true,
  })
  remove(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Response {
    return this.triggers.remove(caller, id, key);
  }

  @Post(':id/rotate-secret')
  @Scopes('settings')
  @ApiParam(TRIGGER_ID)
  @Operation({
    id: 'rotateTriggerSecret',
    summary: 'Rotate the signing secret of a webhook endpoint',
    description:
      'Issues a new signing secret, which is returned only in this response. Messages carry the signatures of both ' +
      `secrets for \`overlap_hours\`, so that receivers can change without losing a message. ${NOT_FOUND}`,
    response: { type: RotatedTriggerSecret, description: 'The new signing secret.' },
    isIdempotent: true,
  })
  rotateSecret(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: RotateTriggerSecret,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Response {
    return this.triggers.rotateSecret(caller, id, body, key);
  }

  @Post(':id/test')
  @Scopes('settings')
  @ApiParam(TRIGGER_ID)
  @Operation({
    id: 'testTrigger',
    summary: 'Send a sample event',
    description:
      'Sends a signed sample event at once, whatever the state of the endpoint, and returns the response of the ' +
      `receiver. The delivery is logged. ${NOT_FOUND}`,
    response: { type: TestedTrigger, description: 'The delivery of the sample.' },
    isIdempotent: true,
  })
  test(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: TestTrigger,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Response {
    return this.triggers.test(caller, id, body, key);
  }

  @Get(':id/deliveries')
  @ApiParam(TRIGGER_ID)
  @Operation({
    id: 'listTriggerDeliveries',
    summary: 'List deliveries of a webhook endpoint',
    description: `Lists the deliveries of the last 30 days, newest first, with their attempts. ${NOT_FOUND}`,
    response: { type: TriggerDeliveryPage, description: 'A page of deliveries.' },
  })
  listDeliveries(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: TriggerDeliveriesQuery,
  ): Response {
    return this.triggers.listDeliveries(caller, id, query);
  }

  @Get(':id/deliveries/:delivery')
  @ApiParam(TRIGGER_ID)
  @ApiParam(DELIVERY_ID)
  @Operation({
    id: 'getTriggerDelivery',
    summary: 'Get a delivery and its attempts',
    description:
      'Returns one delivery with the beginning of its payload and the latest attempts. ' +
      `Returns 404 \`delivery_not_found\` if it does not exist. ${NOT_FOUND}`,
    response: { type: TriggerDeliveryResult, description: 'The delivery.' },
  })
  readDelivery(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('delivery') delivery: string,
  ): Response {
    return this.triggers.readDelivery(caller, id, delivery);
  }

  @Post(':id/deliveries/:delivery/retry')
  @ApiParam(TRIGGER_ID)
  @ApiParam(DELIVERY_ID)
  @Operation({
    id: 'retryTriggerDelivery',
    summary: 'Resend a delivery',
    description:
      'Sends a delivery again, with the same `webhook-id`. A delivery that waits is tried now. Returns 404 ' +
      `\`delivery_not_found\` if it does not exist and 409 \`trigger_disabled\` while the endpoint is disabled. ${NOT_FOUND}`,
    status: 202,
    response: { type: RetriedTriggerDelivery, description: 'The delivery is sent again.' },
    isIdempotent: true,
  })
  retryDelivery(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('delivery') delivery: string,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Response {
    return this.triggers.retryDelivery(caller, id, delivery, key);
  }

  @Post(':id/recover')
  @ApiParam(TRIGGER_ID)
  @Operation({
    id: 'recoverTrigger',
    summary: 'Resend deliveries that failed since a time',
    description:
      'Sends again the deliveries that failed for good since a time. While `has_more` is true, call it again with ' +
      `\`next_since\`. Returns 409 \`trigger_disabled\` while the endpoint is disabled. ${NOT_FOUND}`,
    status: 202,
    response: { type: RecoveredTrigger, description: 'The deliveries are sent again.' },
    isIdempotent: true,
  })
  recover(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: RecoverTrigger,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Response {
    return this.triggers.recover(caller, id, body, key);
  }
}
