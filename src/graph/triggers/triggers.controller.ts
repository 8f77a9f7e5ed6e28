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
    summary: 'List triggers',
    description:
      'The addresses that this workspace has told of events. `plugin_not_installed` (409) where the hub lacks the ' +
      'plugin `triggers`.',
    response: { type: TriggerList, description: 'All of them, as the plugin answers.' },
  })
  list(@CurrentCaller() caller: Caller): Promise<HandlerResponse<unknown>> {
    return this.triggers.list(caller);
  }

  @Post()
  @Operation({
    id: 'setTrigger',
    summary: 'Set a trigger',
    description:
      'Has events sent to an address, signed by a secret that is shown in this answer alone. `invalid_url` (400) if ' +
      'the URL is not https or its host resolves to an address that is not public. `plugin_not_installed` ' +
      '(409) where the hub lacks the plugin `triggers`.',
    status: 201,
    existingDescription: 'What a dry run would set.',
    response: { type: SetTriggerResult, description: 'The trigger, as the plugin answers.' },
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
