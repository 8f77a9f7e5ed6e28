import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { Answered } from '#kernel/idempotency/answered.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { FactsQueryDto, SectionDto, WorkspaceFactsDto, WriteFactDto, WrittenFactDto } from './facts.dto.js';
import { FactsReader } from './facts-reader.service.js';
import { factsRequestOf, factWriteOf } from './facts.requests.js';
import { FactsService } from './facts.service.js';
import type { WorkspaceFacts, WrittenFact } from './shown-facts.js';

/** What the workspace says about itself. */
@ApiTags('workspace')
@ApiExtraModels(SectionDto)
@Controller('v2/workspace/facts')
export class FactsController {
  constructor(
    private readonly facts: FactsService,
    private readonly reader: FactsReader,
  ) {}

  /** Sections and the same as a flat list. */
  @Get()
  @Operation({
    id: 'getWorkspaceFacts',
    summary: 'Read the workspace’s own facts',
    description:
      'The go-to-market profile of the workspace (ideal customer, market, pricing, competitors …), as sections and as a ' +
      'flat list. Every version is kept: `version`, `as_of` and `history` read the ones before.',
    answer: { type: WorkspaceFactsDto, description: 'The sections.' },
  })
  read(@CurrentCaller() { workspaceId }: Caller, @Query() query: FactsQueryDto): Promise<WorkspaceFacts> {
    return this.reader.read(workspaceId, factsRequestOf(query));
  }

  /** The prior version is kept. */
  @Post()
  @Operation({
    id: 'writeWorkspaceFact',
    summary: 'Write a section',
    description:
      'Writes the next version of a section; the ones before are kept. What the section says already is not written ' +
      'again (200). `notes` take single entries: each write adds one.',
    body: {
      type: WriteFactDto,
      example: {
        section: 'pricing',
        content: 'From 40 EUR per seat and month, billed yearly.',
        note: 'New price list',
      },
    },
    status: 201,
    known: 'The version that says the same already, or what a dry run would write.',
    answer: { type: WrittenFactDto, description: 'The version that was written.' },
    writes: true,
  })
  write(
    @CurrentCaller() { workspaceId, keyId }: Caller,
    @Body() body: WriteFactDto,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<Answered<WrittenFact>> {
    return this.facts.write(workspaceId, keyId, factWriteOf(body), key);
  }
}
