import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/handler-response.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { FactsQuery, SectionDto, WorkspaceFactsDto, WriteFactRequest, FactWriteResult } from './facts.dto.js';
import { FactsReadService } from './facts-read.service.js';
import { toFactsRequest, toFactWrite } from './facts-request.js';
import { FactsService } from './facts.service.js';
import type { WorkspaceFactsResponse, FactWriteResponse } from './facts.presenter.js';

/** Endpoints for the workspace's own facts. */
@ApiTags('workspace')
@ApiExtraModels(SectionDto)
@Controller('v2/workspace/facts')
export class FactsController {
  constructor(
    private readonly facts: FactsService,
    private readonly reader: FactsReadService,
  ) {}

  /** Reads sections, also as a flat list. */
  @Get()
  @Operation({
    id: 'getWorkspaceFacts',
    summary: 'Read the workspace’s own facts',
    description:
      'The go-to-market profile of the workspace (ideal customer, market, pricing, competitors …), as sections and as a ' +
      'flat list. Every version is kept: `version`, `as_of` and `history` read the ones before.',
    response: { type: WorkspaceFactsDto, description: 'The sections.' },
  })
  read(@CurrentCaller() { workspaceId }: Caller, @Query() query: FactsQuery): Promise<WorkspaceFactsResponse> {
    return this.reader.read(workspaceId, toFactsRequest(query));
  }

  /** Writes a new version of a section. */
  @Post()
  @Operation({
    id: 'writeWorkspaceFact',
    summary: 'Write a section',
    description:
      'Writes the next version of a section; the ones before are kept. What the section says already is not written ' +
      'again (200). `notes` take single entries: each write adds one.',
    body: {
      type: WriteFactRequest,
      example: {
        section: 'pricing',
        content: 'From 40 EUR per seat and month, billed yearly.',
        note: 'New price list',
      },
    },
    status: 201,
    existingDescription: 'The version that says the same already, or what a dry run would write.',
    response: { type: FactWriteResult, description: 'The version that was written.' },
    isIdempotent: true,
  })
  write(
    @CurrentCaller() { workspaceId, keyId }: Caller,
    @Body() body: WriteFactRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<FactWriteResponse>> {
    return this.facts.write(workspaceId, keyId, toFactWrite(body), key);
  }
}
