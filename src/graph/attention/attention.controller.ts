import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { toAttentionRequest } from './attention-request.js';
import { AttentionPage, AttentionQueryDto } from './attention.dto.js';
import { AttentionService } from './attention.service.js';
import type { AttentionResponse } from './attention.presenter.js';

/** Serves the attention endpoint. */
@ApiTags('Attention')
@Controller('v2/attention')
export class AttentionController {
  constructor(private readonly attention: AttentionService) {}

  /** Returns a page of items across the workspace, most urgent first. */
  @Get()
  @Operation({
    id: 'getAttention',
    summary: 'List what needs attention',
    description:
      'Returns items that need attention across the workspace, most urgent first: meetings in the next ' +
      'seven days, contacts that went quiet, outdated facts, open commitments, leads to work now, contested ' +
      'claims, proposed merges, and plays that changed within a week. Use it to plan a day or to drive a ' +
      'scheduled job. Each entity contributes at most three items. A few hundred candidates are examined ' +
      'whatever the size of the workspace, and `meta` counts among these. Items that were snoozed or marked as done ' +
      'are left out; `state` lists them.',
    response: { type: AttentionPage, description: 'A page of items.' },
  })
  read(@CurrentCaller() { workspaceId }: Caller, @Query() query: AttentionQueryDto): Promise<AttentionResponse> {
    return this.attention.read(workspaceId, toAttentionRequest(query));
  }
}
