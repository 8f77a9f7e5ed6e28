import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { Scopes, CurrentCaller } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { FactsQuery, WriteFactRequest } from './facts.dto.js';
import { FactWriteResult, SectionDto, WorkspaceFactsDto } from './facts-response.dto.js';
import { FactsReadService } from './facts-read.service.js';
import { toFactsRequest, toFactWrite } from './facts-request.js';
import { FactsService } from './facts.service.js';
import type { WorkspaceFactsResponse, FactWriteResponse } from './facts.presenter.js';

/** Endpoints for the workspace's own facts. */
@ApiTags('Workspace')
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
    summary: 'Get workspace facts',
    description:
      "Returns the workspace's own go-to-market profile (ideal customer, market, pricing, competitors and " +
      'so on), both as sections and as a flat list. Use it to ground messages in what the company sells. ' +
      'Every version is kept: `version`, `as_of` and `history` return earlier ones.',
    response: { type: WorkspaceFactsDto, description: 'The sections and facts.' },
  })
  read(@CurrentCaller() { workspaceId }: Caller, @Query() query: FactsQuery): Promise<WorkspaceFactsResponse> {
    return this.reader.read(workspaceId, toFactsRequest(query));
  }

  /** Writes a new version of a section. */
  @Post()
  @Scopes('settings')
  @Operation({
    id: 'writeWorkspaceFact',
    summary: 'Write a workspace fact',
    description:
      'Writes the next version of a section of the go-to-market profile; previous versions are kept. ' +
      'Content equal to the current version is not written again and returns 200. In the section `notes` ' +
      'each write adds an entry. Send `expected_version` to detect concurrent changes: 409 ' +
      '`version_conflict` returns the current version. Returns 400 `section_required` or `content required` ' +
      'if one is missing.',
    body: {
      type: WriteFactRequest,
      example: {
        section: 'pricing',
        content: 'From 40 EUR per seat and month, billed yearly.',
        note: 'New price list',
      },
    },
    status: 201,
    existingDescription: 'The current version, if it already has this content, or the result of a dry run.',
    response: { type: FactWriteResult, description: 'The version that was written.' },
    isIdempotent: true,
  })
  write(
    @CurrentCaller() { workspaceId, actor }: Caller,
    @Body() body: WriteFactRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<FactWriteResponse>> {
    return this.facts.write(workspaceId, actor, toFactWrite(body, actor), key);
  }
}
