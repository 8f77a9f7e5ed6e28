import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/handler-response.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { EntityLinks, EntityPairRequest, MergeResult, toEntityPairInput, UnmergeResult } from './merges.dto.js';
import type { EntityLinksResponse, MergeResponse, UnmergeResponse } from './merges.presenter.js';
import { MergesService } from './merges.service.js';

/** Endpoints that merge and unmerge entities. */
@ApiTags('entities')
@Controller('v2/entities')
export class MergesController {
  constructor(private readonly merges: MergesService) {}

  /** Appends a link that states the two are the same. */
  @Post('merge')
  @Operation({
    id: 'mergeEntities',
    summary: 'Merge two entities',
    description:
      'Says that two entities are one. Their observations stay what they are; claims are derived over both, under the ' +
      'id of the older one. Either id, and every identifier of either, names the one from now on. Undone by ' +
      '`POST /v2/entities/unmerge`. That a contact wishes not to be contacted survives.',
    response: { type: MergeResult, description: 'Who they are now, and what was brought together.' },
    isIdempotent: true,
  })
  merge(
    @CurrentCaller() { workspaceId }: Caller,
    @Body() body: EntityPairRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<MergeResponse>> {
    return this.merges.merge(workspaceId, toEntityPairInput(body), key);
  }

  /** Retracts links and states that the two are distinct. */
  @Post('unmerge')
  @Operation({
    id: 'unmergeEntities',
    summary: 'Part two entities',
    description:
      'Undoes the merge that made two entities one, and keeps that they are not the same: no rule merges them again, ' +
      'only `POST /v2/entities/merge` does. For two that are not one it declines a proposed merge.',
    response: { type: UnmergeResult, description: 'Who there is now.' },
    isIdempotent: true,
  })
  unmerge(
    @CurrentCaller() { workspaceId }: Caller,
    @Body() body: EntityPairRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<UnmergeResponse>> {
    return this.merges.unmerge(workspaceId, toEntityPairInput(body), key);
  }

  /** Lists the links of an entity. */
  @Get(':id/links')
  @Operation({
    id: 'listEntityLinks',
    summary: 'List links of an entity',
    description:
      'Who was said to be the same as this entity or not to be, newest first, also what was taken back; and the merges ' +
      'that are proposed. At most 1000 of each.',
    response: { type: EntityLinks, description: 'Links and proposals.' },
  })
  @ApiParam({
    name: 'id',
    description: 'Entity UUID, e-mail address, domain or LinkedIn URL.',
    example: 'ada@acme.com',
    schema: { type: 'string', maxLength: 320 },
  })
  listLinks(@CurrentCaller() { workspaceId }: Caller, @Param('id') id: string): Promise<EntityLinksResponse> {
    return this.merges.readLinks(workspaceId, id);
  }
}
