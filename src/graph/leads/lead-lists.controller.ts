import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { findUnknownFields } from '#kernel/errors/unknown-fields.js';
import { ROWS_BODY_LIMITS, BodyLimit } from '#kernel/http/body-limit.decorator.js';
import { UuidParam } from '#kernel/http/openapi/path-params.decorators.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { parseWith } from '#kernel/http/request-validation.pipe.js';
import type { HandlerResponse } from '#kernel/http/handler-response.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { requireObject } from '../people/person-request.js';
import { type AddLeadsInput, parseListId, readAttachInput, readShortText } from './add-leads-request.js';
import type { AddLeadsResponse } from './leads.presenter.js';
import {
  DeletedLeadList,
  LeadListResult,
  LeadListPage,
  LeadListsQuery,
  CreateLeadListRequest,
} from './lead-lists.dto.js';
import {
  type LeadListsResponse,
  LeadListsService,
  type LeadListInput,
  type PresentedLeadList,
} from './lead-lists.service.js';
import { AddedLeads, AttachLeadListRequest } from './leads.dto.js';
import { LeadsService } from './leads.service.js';

const MAX_LISTS_LIMIT = 1_000;

/** Endpoints for lead lists. */
@ApiTags('lead lists')
@Controller('v2/lead-lists')
export class LeadListsController {
  constructor(
    private readonly lists: LeadListsService,
    private readonly leads: LeadsService,
  ) {}

  /** Lists lead lists, page by page. */
  @Get()
  @Operation({
    id: 'listLeadLists',
    summary: 'List lead lists',
    description: 'The lead lists of the workspace, newest first, each with how many leads are in it.',
    response: { type: LeadListPage, description: 'A page of lists.' },
  })
  list(@CurrentCaller() { workspaceId }: Caller, @Query() query: LeadListsQuery): Promise<LeadListsResponse> {
    return this.lists.list(workspaceId, Math.min(query.limit ?? 100, MAX_LISTS_LIMIT), query.cursor);
  }

  /** Creates an empty list. */
  @Post()
  @Operation({
    id: 'createLeadList',
    summary: 'Create a lead list',
    description: 'Makes an empty list. Rows come by `POST /v2/leads` or `POST /v2/lead-lists/attach`.',
    body: { type: CreateLeadListRequest },
    response: { type: LeadListResult, description: 'The list.' },
    status: 201,
    isIdempotent: true,
  })
  create(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parseWith(readLeadListInput)) list: LeadListInput,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<{ lead_list: PresentedLeadList }>> {
    return this.lists.create(workspaceId, list, key);
  }

  /** Adds rows that come from another system. */
  @Post('attach')
  @BodyLimit(ROWS_BODY_LIMITS)
  @Operation({
    id: 'attachLeadList',
    summary: 'Attach rows as a list',
    description:
      'Makes a list of up to 1000 rows that were built elsewhere, or adds them to one that is there: every row is found ' +
      'or made, and scored. The same `name` and `external_id` name the same list, so the call may be repeated. A row ' +
      'that cannot be taken says why in `results` and fails no other.',
    body: {
      type: AttachLeadListRequest,
      example: {
        name: 'Webinar November',
        external_id: 'webinar-2026-11',
        rows: [{ email: 'grace@acme.com', name: 'Grace Hopper', fields: { opener: 'Saw your talk' } }],
      },
    },
    response: { type: AddedLeads, description: 'What became of each row.' },
    status: 201,
    existingDescription: 'Of a dry run: what would become of each row. Nobody is added, and nobody is scored.',
    isIdempotent: true,
  })
  attach(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parseWith(readAttachInput)) request: AddLeadsInput,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<AddLeadsResponse>> {
    return this.leads.add(workspaceId, request, key);
  }

  /** Deletes a list; the people are kept. */
  @Delete(':id')
  @UuidParam('list')
  @Operation({
    id: 'deleteLeadList',
    summary: 'Delete a lead list',
    description: 'Takes a list and the leads in it away. The people, and all that is known of them, stay.',
    response: { type: DeletedLeadList, description: 'That it is gone.' },
    isIdempotent: true,
  })
  remove(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('id', parseWith(parseListId)) id: string,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<{ deleted: true; id: string }>> {
    return this.lists.remove(workspaceId, id, key);
  }
}

function readLeadListInput(body: unknown): LeadListInput {
  const fields = requireObject(body);
  const unknown = findUnknownFields(fields, ['name', 'source']);
  if (unknown.length > 0) throw HubError.invalidRequest(unknown);
  if (typeof (fields['name'] ?? '') === 'string' && !String(fields['name'] ?? '').trim())
    throw new HubError('name required');
  return { name: readShortText(fields, 'name')!, source: readShortText(fields, 'source') ?? 'manual' };
}
