import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/handler-response.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { TriggersService } from './triggers.service.js';
import { SetTrigger, SetTriggerResult, TriggerList } from './triggers.dto.js';

/** Endpoints for webhook triggers, which the plugin `triggers` stores. */
@ApiTags('triggers')
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
  list(@CurrentCaller() caller: Caller): Promise<HandlerResponse<unknown>> {
    return this.triggers.list(caller);
  }

  @Post()
  @Operation({
    id: 'setTrigger',
    summary: 'Create a webhook endpoint',
    description:
      'Creates a webhook endpoint that receives signed events. The signing secret is returned only in this ' +
      'response; store it. Returns 400 `url_and_events_required` if one is missing, 400 `invalid_url` if ' +
      'the URL is not HTTPS or its host does not resolve to a public address, and 409 ' +
      '`plugin_not_installed` if the triggers plugin is not installed.',
    status: 201,
    existingDescription: 'The endpoint that would be created, for a dry run.',
    response: { type: SetTriggerResult, description: 'The webhook endpoint and its signing secret.' },
    isIdempotent: true,
  })
  set(
    @CurrentCaller() caller: Caller,
    @Body() body: SetTrigger,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<unknown>> {
    return this.triggers.set(caller, body, key);
  }
}
