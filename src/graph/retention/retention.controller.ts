import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller, Scopes } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import type { RetentionDays } from '#domain/retention/retention.js';
import { ChangeRetention, RetentionSettingsDto } from './retention.dto.js';
import { type RetentionResponse, RetentionService } from './retention.service.js';

/** Serves the retention settings. */
@ApiTags('Workspace')
@Controller('v2/workspace/retention')
export class RetentionController {
  constructor(private readonly retention: RetentionService) {}

  /** Returns the settings. */
  @Get()
  @Operation({
    id: 'getRetention',
    summary: 'Get retention settings',
    description: 'Returns how many days the workspace keeps each kind of data, and what the last nightly run removed.',
    response: { type: RetentionSettingsDto, description: 'The settings.' },
  })
  read(@CurrentCaller() { workspaceId }: Caller): Promise<RetentionResponse> {
    return this.retention.read(workspaceId);
  }

  /** Changes the settings. */
  @Patch()
  @Scopes('admin')
  @Operation({
    id: 'changeRetention',
    summary: 'Update retention settings',
    description:
      'Sets how many days the workspace keeps each kind of data; omitted kinds stay unchanged. A nightly job ' +
      'removes older data for good, from 02:00 UTC. Claims and the facts that they rest on stay. Requires the ' +
      'scope `admin`.',
    body: { type: ChangeRetention },
    response: { type: RetentionSettingsDto, description: 'The settings after the change.' },
    isIdempotent: true,
  })
  change(
    @CurrentCaller() { workspaceId }: Caller,
    @Body() body: ChangeRetention,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<RetentionResponse>> {
    return this.retention.change(workspaceId, body as Partial<RetentionDays>, key);
  }
}
