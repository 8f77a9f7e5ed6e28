import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { Scopes, CurrentCaller } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { CrmSyncUpdateResult, UpdateCrmSync, CrmSync } from './crm-sync.dto.js';
import { CrmSyncService } from './crm-sync.service.js';

/** Endpoints for the settings of CRM synchronization. */
@ApiTags('Integrations')
@Controller('v2/workspace/crm-sync')
export class CrmSyncController {
  constructor(private readonly crmSync: CrmSyncService) {}

  @Get()
  @Operation({
    id: 'getCrmSync',
    summary: 'Get CRM sync settings',
    description:
      'Returns the effective CRM sync settings, including defaults, and the newest sync. If no CRM is connected, `config` is ' +
      'null and `message` explains why. Returns 403 `plan_required` below the plan `growth`.',
    response: { type: CrmSync, description: 'The settings.' },
  })
  read(@CurrentCaller() caller: Caller): Promise<CrmSync> {
    return this.crmSync.read(caller);
  }

  @Post()
  @Scopes('settings')
  @Operation({
    id: 'configureCrmSync',
    summary: 'Update CRM sync settings',
    description:
      'Updates the sync settings of the connected CRM, and starts a sync with `start_sync`; omitted settings stay ' +
      'unchanged. Use `dry_run` to see the changes of settings first. Returns 409 `plugin_not_installed` if the CRM plugin is not installed, 400 ' +
      '`crm_not_connected` if the CRM is not connected, and 403 `plan_required` below the plan `growth`.',
    body: { type: UpdateCrmSync, example: { provider: 'hubspot', direction: 'pull', dry_run: true } },
    response: { type: CrmSyncUpdateResult, description: 'The settings after the update, and the changes.' },
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
