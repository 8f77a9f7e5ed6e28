import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/handler-response.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { CrmSyncUpdateResult, UpdateCrmSync, CrmSync } from './crm-sync.dto.js';
import { CrmSyncService } from './crm-sync.service.js';

/** Endpoints for the settings of CRM synchronization. */
@ApiTags('integrations')
@Controller('v2/workspace/crm-sync')
export class CrmSyncController {
  constructor(private readonly crmSync: CrmSyncService) {}

  @Get()
  @Operation({
    id: 'getCrmSync',
    summary: 'Read how the CRM is kept in step',
    description: 'The settings as they work. Where no CRM is connected, `message` says why. Needs the plan `growth`.',
    response: { type: CrmSync, description: 'The settings.' },
  })
  read(@CurrentCaller() caller: Caller): Promise<CrmSync> {
    return this.crmSync.read(caller);
  }

  @Post()
  @Operation({
    id: 'configureCrmSync',
    summary: 'Set how the CRM is kept in step',
    description:
      'Changes settings of the connection that the plugin `crm` has; what is left out stays. `plugin_not_installed` ' +
      '(409) where the hub lacks it, `crm_not_connected` (400) before the CRM is connected. Needs the plan `growth`.',
    response: { type: CrmSyncUpdateResult, description: 'The settings from now on, and what has changed.' },
    isIdempotent: true,
  })
  change(
    @CurrentCaller() caller: Caller,
    @Body() body: UpdateCrmSync,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<CrmSyncUpdateResult>> {
    return this.crmSync.change(caller, body, key);
  }
}
