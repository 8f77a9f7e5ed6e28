import { applyDecorators, Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { ROWS_BODY_LIMITS, BodyLimit } from '#kernel/http/body-limit.decorator.js';
import { UuidParam } from '#kernel/http/openapi/path-params.decorators.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { parseWith } from '#kernel/http/request-validation.pipe.js';
import type { HandlerResponse } from '#kernel/http/handler-response.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { ListParameters } from '../lists/list-parameters.js';
import { type ListRequest, readListRequest } from '../lists/list-request.js';
import type { RawQuery } from '../lists/query-values.js';
import { type AddLeadsInput, readAddLeadsInput } from './add-leads-request.js';
import type { AddLeadsResponse } from './leads.presenter.js';
import { type LeadUpdate, readLeadUpdate } from './lead-update-request.js';
import { type LeadResponse, LeadUpdateService } from './lead-update.service.js';
import { AddedLeads, AddLeadsRequest, UpdateLeadRequest, LeadDetails, LeadsPage } from './leads.dto.js';
import { type LeadsListResponse, LeadsService } from './leads.service.js';
import { leadListFields } from './leads.source.js';

const readQuery = (query: unknown): ListRequest =>
  readListRequest(leadListFields, query as RawQuery, Date.now() * 1_000);

const ONE_LEAD_EXAMPLE = {
  list: 'Webinar November',
  email: 'grace@acme.com',
  name: 'Grace Hopper',
  fields: { seat: 'A4' },
};
const MANY_LEADS_EXAMPLE = {
  list: 'Webinar November',
  leads: [{ email: 'grace@acme.com' }, { email: 'alan@acme.com' }],
};
const PROGRESS_EXAMPLE = { status: 'sent', sent_at: '2026-11-20T09:30:00Z', send_variant: 'a', step: '2' };

/** Decorates a handler that adds rows to a list with its documentation and a body limit for 1,000 rows. */
function AddLeadsOperation(id: string, summary: string, example: object): MethodDecorator {
  return applyDecorators(
    BodyLimit(ROWS_BODY_LIMITS),
    Operation({
      id,
      summary,
      description:
        'Adds one flat row, or up to 1000 in `leads`, to the list of `list_id`, or to the one named `list`, which is made ' +
        'if need be. Every row is found or made as a person and its facts are observations; a person stands in a list once. ' +
        'A row that cannot be taken says why in `results` and fails no other.',
      body: { type: AddLeadsRequest, example },
      response: { type: AddedLeads, description: 'What became of each row.' },
      status: 201,
      existingDescription: 'Of a dry run: what would become of each row. Nobody is added, and nobody is scored.',
      isIdempotent: true,
    }),
  );
}

/** Endpoints for leads across all lists. */
@ApiTags('leads')
@Controller('v2/leads')
export class LeadsController {
  constructor(
    private readonly leads: LeadsService,
    private readonly updates: LeadUpdateService,
  ) {}

  /** Lists leads that match a filter, page by page. */
  @Get()
  @ListParameters({
    list_id: 'UUID of a list.',
    status: 'The status: pending, sent, replied, bounced or a word of your own.',
    play: 'The play: work now, nurture, research, enrich, suppress.',
    reply_outcome: 'How they replied: interested, objection, wrong_fit, unsubscribe.',
    has_replied: 'Whether they replied: true or false.',
    has_email: 'Whether an address is known: true or false.',
    sent_within: 'Written to within that time (`7d`).',
    sent_before: 'Written to longer ago (`2d`), or never.',
    score_gte: 'Least `scorecard_score`, 0 to 1.',
    search: 'Text within e-mail address, name, company or LinkedIn URL.',
    company: 'The company as it is claimed, or its domain.',
  })
  @Operation({
    id: 'listLeads',
    summary: 'List leads',
    description:
      'Leads across all lists: the row of the person with what belongs to the lead. Filters, orders and pages are those ' +
      'of people, and columns of the lead join in. The latest added come first; `created_desc`, `created_asc` and ' +
      '`score_desc` are named orders.',
    response: { type: LeadsPage, description: 'A page of leads.' },
  })
  list(
    @CurrentCaller() { workspaceId }: Caller,
    @Query(parseWith(readQuery)) request: ListRequest,
  ): Promise<LeadsListResponse> {
    return this.leads.list(workspaceId, request);
  }

  /** Adds one lead or many. */
  @Post()
  @AddLeadsOperation('addLeads', 'Add leads to a list', ONE_LEAD_EXAMPLE)
  add(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parseWith(readAddLeadsInput)) request: AddLeadsInput,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<AddLeadsResponse>> {
    return this.leads.add(workspaceId, request, key);
  }

  /** Adds leads, as POST /v2/leads does. */
  @Post('bulk')
  @AddLeadsOperation('addManyLeads', 'Add many leads to a list', MANY_LEADS_EXAMPLE)
  addMany(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parseWith(readAddLeadsInput)) request: AddLeadsInput,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<AddLeadsResponse>> {
    return this.leads.add(workspaceId, request, key);
  }

  /** Updates a lead that is named in the body. */
  @Patch()
  @Operation({
    id: 'changeLeadById',
    summary: 'Change a lead',
    description: 'As `PATCH /v2/leads/{id}`, with the lead in `id`.',
    body: { type: UpdateLeadRequest, example: { id: '0199f3a0-5b1c-7d34-9a1e-2f6b8c0d4e11', ...PROGRESS_EXAMPLE } },
    response: { type: LeadDetails, description: 'The lead as it is now.' },
    isIdempotent: true,
  })
  updateById(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parseWith(body => readLeadUpdate(body))) change: LeadUpdate,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<LeadResponse>> {
    return this.updates.update(workspaceId, change, key);
  }

  /** Updates the lead in the path, for progress that no webhook has reported yet. */
  @Patch(':id')
  @UuidParam('lead')
  @Operation({
    id: 'changeLead',
    summary: 'Change a lead',
    description:
      'Changes what belongs to the lead; `features` and `fields` are added to what is there. Any other field is asserted ' +
      'of the person. `sent_at` also records that an e-mail was sent, `reply_outcome: "unsubscribe"` that the person ' +
      'unsubscribed, each of them once.',
    body: { type: UpdateLeadRequest, example: PROGRESS_EXAMPLE },
    response: { type: LeadDetails, description: 'The lead as it is now.' },
    isIdempotent: true,
  })
  update(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('id') id: string,
    @Body() body: unknown,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<LeadResponse>> {
    return this.updates.update(workspaceId, readLeadUpdate(body, id), key);
  }
}
