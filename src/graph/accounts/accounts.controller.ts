import { Readable } from 'node:stream';
import { Controller, Get, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiExtraModels, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { AmbiguousName } from '../identity/entity-resolver.service.js';
import type { AccountResponse } from './accounts.presenter.js';
import { AccountQuery, toAccountRequest } from './account-query.dto.js';
import { TimelineItemDto } from './account-details.dto.js';
import { AccountDto } from './accounts.dto.js';
import { ClaimDto } from '../claims/claim.dto.js';
import { AccountsService } from './accounts.service.js';
import { TimelineExportQuery, toTimelineExport } from './timeline-export.dto.js';
import { ClaimEvidenceDto, ClaimEvidenceQuery, toClaimEvidenceDto, toEvidenceRequest } from './claim-evidence.dto.js';
import { ClaimEvidenceService } from './claim-evidence.service.js';
import { MergePreview, MergePreviewQuery } from './merge-preview.dto.js';
import { type MergePreviewResponse, MergePreviewService } from './merge-preview.service.js';
import { TimelineExportService } from './timeline-export.service.js';
import { TimelinePage, TimelineParameters, toTimelineRequest } from './timeline.dto.js';
import { type TimelineResponse, TimelineService } from './timeline.service.js';
import { AmbiguousNameDto } from '../identity/focus.dto.js';

/** Serves the account endpoint. */
@ApiTags('Accounts')
@ApiExtraModels(ClaimDto)
@Controller('v2/accounts')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly exports: TimelineExportService,
    private readonly timelines: TimelineService,
    private readonly evidence: ClaimEvidenceService,
    private readonly merges: MergePreviewService,
  ) {}

  /** Shows what a merge would do. */
  @Get('merge-preview')
  @Operation({
    id: 'previewMerge',
    summary: 'Preview a merge',
    description:
      'Returns two people, or two companies, with their identifiers and claims, and the claims that they would have as ' +
      'one. Nothing is merged; `POST /v2/accounts/merge` does it. Returns 404 `entity_not_found` for an unknown ' +
      'identifier, and 400 `merge_impossible` for a person and a company or `same_entity` for one entity.',
    response: { type: MergePreview, description: 'The two entities, and their claims as one.' },
  })
  previewMerge(
    @CurrentCaller() { workspaceId }: Caller,
    @Query() { a, b }: MergePreviewQuery,
  ): Promise<MergePreviewResponse> {
    return this.merges.preview(workspaceId, a, b);
  }

  /** Returns an entity with every claim and a page of its timeline. */
  @Get(':id')
  @Operation({
    id: 'getAccount',
    summary: 'Get an account',
    description:
      'Returns everything known about one person or company: identifiers, every claim with its confidence, ' +
      'freshness and sources, notes, and a page of its timeline. Use it to inspect an entity in full; use ' +
      '`POST /v2/context` for a ranked selection that fits into a prompt. If a name matches more than one ' +
      'entity, the response has `status: "ambiguous"` and lists `candidates`. Returns 404 ' +
      '`entity_not_found` for an unknown identifier and 400 `invalid_intent` for an unknown intent.',
    response: {
      type: AccountDto,
      alternatives: [AmbiguousNameDto],
      description: 'The account, or the candidates of an ambiguous name.',
    },
  })
  @ApiParam({
    name: 'id',
    description: 'Entity UUID, e-mail address, domain, LinkedIn URL or name.',
    schema: { type: 'string', maxLength: 320, example: 'ada@acme.com' },
  })
  read(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('id') id: string,
    @Query() query: AccountQuery,
  ): Promise<AccountResponse | AmbiguousName> {
    return this.accounts.read(workspaceId, id, toAccountRequest(query));
  }

  /** Returns one claim of an entity with all statements about it. */
  @Get(':id/claims/:property')
  @Operation({
    id: 'getClaim',
    summary: 'Get a claim',
    description:
      'Returns one claim of a person or company with the reason for its value, a page of all statements about it and what ' +
      'each does for the claim, its earlier values, and its confidence and freshness over time. Returns 404 ' +
      '`entity_not_found` for an unknown identifier, and 404 `not_found` if nobody has stated the property.',
    response: { type: ClaimEvidenceDto, description: 'The claim with its evidence.' },
  })
  @ApiParam({
    name: 'id',
    description: 'Entity UUID, e-mail address, domain or LinkedIn URL.',
    schema: { type: 'string', maxLength: 320, example: 'ada@acme.com' },
  })
  @ApiParam({
    name: 'property',
    description: 'Name of the property, such as `title`.',
    schema: { type: 'string', maxLength: 200, example: 'title' },
  })
  async readClaim(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('id') id: string,
    @Param('property') property: string,
    @Query() query: ClaimEvidenceQuery,
  ): Promise<ClaimEvidenceDto> {
    const request = toEvidenceRequest(query);
    return toClaimEvidenceDto(await this.evidence.read(workspaceId, id, property, request), request.limit);
  }

  /** Returns a page of the timeline of an entity. */
  @Get(':id/timeline')
  @Operation({
    id: 'listTimeline',
    summary: 'List a timeline',
    description:
      'Returns the observations about one person or company, newest first, by kind, property, source and time; those of a ' +
      'company include the events of its people. Use it where `GET /v2/accounts/{id}` returns more than is needed. ' +
      'Returns 404 `entity_not_found` for an unknown identifier and 400 `cursor_mismatch` for a cursor of another entity.',
    response: { type: TimelinePage, description: 'A page of observations.' },
  })
  @ApiParam({
    name: 'id',
    description: 'Entity UUID, e-mail address, domain or LinkedIn URL.',
    schema: { type: 'string', maxLength: 320, example: 'ada@acme.com' },
  })
  listTimeline(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('id') id: string,
    @Query() query: TimelineParameters,
  ): Promise<TimelineResponse> {
    return this.timelines.list(workspaceId, id, toTimelineRequest(query));
  }

  /** Exports the whole timeline of an entity. */
  @Get(':id/timeline/export')
  @Operation({
    id: 'exportTimeline',
    summary: 'Export a timeline',
    description:
      'Returns every observation about one person or company, newest first, as a CSV or NDJSON file that is written ' +
      'while it is read; that of a company has the events of its people, too. Values that a spreadsheet program would ' +
      'take for a formula begin with an apostrophe in CSV. Returns 404 `entity_not_found` for an unknown identifier.',
    response: { type: TimelineItemDto, fileType: 'text/csv', description: 'The observations, one per line.' },
  })
  @ApiParam({
    name: 'id',
    description: 'Entity UUID, e-mail address, domain or LinkedIn URL.',
    schema: { type: 'string', maxLength: 320, example: 'ada@acme.com' },
  })
  async exportTimeline(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('id') id: string,
    @Query() query: TimelineExportQuery,
  ): Promise<StreamableFile> {
    const { content, type, extension } = await this.exports.export(workspaceId, id, toTimelineExport(query));
    const disposition = `attachment; filename="timeline.${extension}"`;
    return new StreamableFile(Readable.from(content, { objectMode: false }), { type, disposition });
  }
}
