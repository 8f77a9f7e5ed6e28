import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { Answered } from '#kernel/idempotency/answered.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { EntityLinksDto, EntityPairDto, MergedDto, pairRequestOf, UnmergedDto } from './merges.dto.js';
import type { LinksOfEntity, Merged, Unmerged } from './merges.js';
import { MergesService } from './merges.service.js';

/** Who is the same as whom. */
@ApiTags('entities')
@Controller('v2/entities')
export class MergesController {
  constructor(private readonly merges: MergesService) {}

  /** Appends a link. */
  @Post('merge')
  @Operation({
    id: 'mergeEntities',
    summary: 'Merge two entities',
    description:
      'Says that two entities are one. Their observations stay what they are; claims are derived over both, under the ' +
      'id of the older one. Either id, and every identifier of either, names the one from now on. Undone by ' +
      '`POST /v2/entities/unmerge`. That a contact wishes not to be contacted survives.',
    answer: { type: MergedDto, description: 'Who they are now, and what was brought together.' },
    writes: true,
  })
  merge(
    @CurrentCaller() { workspaceId }: Caller,
    @Body() body: EntityPairDto,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<Answered<Merged>> {
    return this.merges.merge(workspaceId, pairRequestOf(body), key);
  }

  /** Retracts a link. */
  @Post('unmerge')
  @Operation({
    id: 'unmergeEntities',
    summary: 'Part two entities',
    description:
      'Undoes the merge that made two entities one, and keeps that they are not the same: no rule merges them again, ' +
      'only `POST /v2/entities/merge` does. For two that are not one it declines a proposed merge.',
    answer: { type: UnmergedDto, description: 'Who there is now.' },
    writes: true,
  })
  unmerge(
    @CurrentCaller() { workspaceId }: Caller,
    @Body() body: EntityPairDto,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<Answered<Unmerged>> {
    return this.merges.unmerge(workspaceId, pairRequestOf(body), key);
  }

  /** The log of links of an entity. */
  @Get(':id/links')
  @Operation({
    id: 'listEntityLinks',
    summary: 'List links of an entity',
    description:
      'Who was said to be the same as this entity or not to be, newest first, also what was taken back; and the merges ' +
      'that are proposed. At most 1000 of each.',
    answer: { type: EntityLinksDto, description: 'Links and proposals.' },
  })
  @ApiParam({
    name: 'id',
    description: 'Entity UUID, e-mail address, domain or LinkedIn URL.',
    example: 'ada@acme.com',
    schema: { type: 'string', maxLength: 320 },
  })
  links(@CurrentCaller() { workspaceId }: Caller, @Param('id') id: string): Promise<LinksOfEntity> {
    return this.merges.linksOf(workspaceId, id);
  }
}
