import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/caller.guard.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { findUnknownFields, parseWith } from '#kernel/http/request-validation.js';
import { ROWS_BODY_LIMITS, BodyLimit } from '#kernel/http/json-parser.js';
import { UuidParam, Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { requireObject } from '../people/person-request.js';
import {
  type AddLeadsInput,
  parseListId,
  readAttachInput,
  attributeLeads,
  readShortText,
} from './add-leads-request.js';
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
import { AttachLeadListRequest } from './lead-write.dto.js';
import { AddedLeads } from './leads.dto.js';
import { LeadsService } from './leads.service.js';

const MAX_LISTS_LIMIT = 1_000;

/** Endpoints for lead lists. */
@ApiTags('Lead lists')
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
    description: 'Returns the lead lists of the workspace, newest first, each with its number of leads.',
    response: { type: LeadListPage, description: 'A page of lead lists.' },
  })
  list(@CurrentCaller() { workspaceId }: Caller, @Query() query: LeadListsQuery): Promise<LeadListsResponse> {
    return this.lists.list(workspaceId, Math.min(query.limit ?? 100, MAX_LISTS_LIMIT), query.cursor);
  }

  /** Creates an empty list. */
  @Post()
  @Operation({
    id: 'createLeadList',
    summary: 'Create a lead list',
    description:
      'Creates an empty lead list. Add rows with `POST /v2/leads`, or create a list together with its rows ' +
      'with `POST /v2/lead-lists/attach`. Returns 400 `name required` without a name.',
    body: { type: CreateLeadListRequest },
    response: { type: LeadListResult, description: 'The list that was created.' },
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
    summary: 'Create a lead list from rows',
    description:
      'Creates a list from up to 1000 rows built elsewhere, or adds them to an existing list. Each row is ' +
      'matched to a person or creates one, and is scored. The same `name` and `external_id` refer to the ' +
      'same list, so the call can be repeated safely. A row that cannot be added is reported in `results` ' +
      'and does not affect the others. Returns 400 `rows_required` or `name_or_lead_list_id_required` if ' +
      'one is missing, and 404 `list_not_found` for an unknown list.',
    body: {
      type: AttachLeadListRequest,
      example: {
        name: 'Webinar November',
        external_id: 'webinar-2026-11',
        rows: [{ email: 'grace@acme.com', name: 'Grace Hopper', fields: { opener: 'Saw your talk' } }],
      },
    },
    response: { type: AddedLeads, description: 'The outcome of each row.' },
    status: 201,
    existingDescription: 'The outcome that each row would have, for a dry run. Nobody is added or scored.',
    isIdempotent: true,
  })
  attach(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parseWith(readAttachInput)) request: AddLeadsInput,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<AddLeadsResponse>> {
    return this.leads.add(workspaceId, attributeLeads(request), key);
  }

  /** Deletes a list; the people are kept. */
  @Delete(':id')
  @UuidParam('list')
  @Operation({
    id: 'deleteLeadList',
    summary: 'Delete a lead list',
    description:
      'Deletes a list and the leads in it. The people and everything known about them are kept. Returns 404 ' +
      '`list_not_found` for an unknown list.',
    response: { type: DeletedLeadList, description: 'Confirmation of the deletion.' },
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
