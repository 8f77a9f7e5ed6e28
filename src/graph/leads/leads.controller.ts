import { Readable } from 'node:stream';
import { applyDecorators, Body, Controller, Get, Param, Patch, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/caller.guard.js';
import { ROWS_BODY_LIMITS, BodyLimit } from '#kernel/http/json-parser.js';
import { UuidParam, Operation } from '#kernel/http/openapi/operation.decorator.js';
import { parseWith } from '#kernel/http/request-validation.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { type ListExportRequest, readListExport } from '../lists/list-export.js';
import { ListExportParameters, ListParameters, type RawQuery } from '../lists/list-parameters.js';
import { type ListRequest, readListRequest } from '../lists/list-request.js';
import { type AddLeadsInput, readAddLeadsInput, attributeLeads } from './add-leads-request.js';
import type { AddLeadsResponse } from './leads.presenter.js';
import { type LeadUpdate, readLeadUpdate, attributeUpdate } from './lead-update-request.js';
import { type LeadResponse, LeadUpdateService } from './lead-update.service.js';
import { AddLeadsRequest, UpdateLeadRequest } from './lead-write.dto.js';
import { AddedLeads, LeadDetails, LeadsPage } from './leads.dto.js';
import { type LeadsListResponse, LeadsService } from './leads.service.js';
import { leadListFields } from './leads.source.js';

const readQuery = (query: unknown): ListRequest =>
  readListRequest(leadListFields, query as RawQuery, Date.now() * 1_000);
const readExportQuery = (query: unknown): ListExportRequest =>
  readListExport(leadListFields, query as RawQuery, Date.now() * 1_000);

/** Parameters that set a condition, with their descriptions. */
const LEAD_PARAMETERS = {
  list_id: 'Lead list, by UUID.',
  status: 'Lead status: `pending`, `sent`, `replied`, `bounced` or your own value.',
  play: 'Recommended play: `work now`, `nurture`, `research`, `enrich` or `suppress`.',
  reply_outcome: 'Outcome of the reply: `interested`, `objection`, `wrong_fit`, `unsubscribe` or your own value.',
  has_replied: 'Whether the lead replied: `true` or `false`.',
  has_email: 'Whether the person has an e-mail address: `true` or `false`.',
  sent_within: 'With a message sent within this time, such as `7d`.',
  sent_before: 'With the message sent longer ago than this, such as `2d`. Includes leads without a message.',
  score_gte: 'Minimum `scorecard_score`, 0 to 1.',
  search: 'Text contained in the e-mail address, name, company or LinkedIn URL.',
  company: 'Company of the person, by its claimed name or domain.',
};

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
function AddLeadsOperation(id: string, summary: string, intro: string, example: object): MethodDecorator {
  return applyDecorators(
    BodyLimit(ROWS_BODY_LIMITS),
    Operation({
      id,
      summary,
      description:
        `${intro} Send \`list_id\`, or \`list\` with a name, which is created if it does not exist. Each row is ` +
        'matched to a person or creates one, and its other fields are recorded as facts. A person is in a list only ' +
        'once. A row that cannot be added is reported in `results` and does not affect the others. Returns 400 ' +
        '`list_id_required` without a list and 404 `list_not_found` for an unknown one.',
      body: { type: AddLeadsRequest, example },
      response: { type: AddedLeads, description: 'The outcome of each row.' },
      status: 201,
      existingDescription: 'The outcome that each row would have, for a dry run. Nobody is added or scored.',
      isIdempotent: true,
    }),
  );
}

/** Endpoints for leads across all lists. */
@ApiTags('Leads')
@Controller('v2/leads')
export class LeadsController {
  constructor(
    private readonly leads: LeadsService,
    private readonly updates: LeadUpdateService,
  ) {}

  /** Lists leads that match a filter, page by page. */
  @Get()
  @ListParameters(LEAD_PARAMETERS)
  @Operation({
    id: 'listLeads',
    summary: 'List leads',
    description:
      'Returns leads across all lists, newest first unless `sort` says otherwise. Each row combines the ' +
      'person with the data of the lead. The filters, sort orders and paging of `GET /v2/people` apply, and ' +
      'lead columns can be used too; the named sort orders are `created_desc`, `created_asc` and ' +
      '`score_desc`. Returns 400 `unknown_query_param` or `unknown_sort` for a name that does not exist.',
    response: { type: LeadsPage, description: 'A page of leads.' },
  })
  list(
    @CurrentCaller() { workspaceId }: Caller,
    @Query(parseWith(readQuery)) request: ListRequest,
  ): Promise<LeadsListResponse> {
    return this.leads.list(workspaceId, request);
  }

  /** Exports all leads that match a filter. */
  @Get('export')
  @ListExportParameters(LEAD_PARAMETERS)
  @Operation({
    id: 'exportLeads',
    summary: 'Export leads',
    description:
      'Returns all leads across all lists that match, as a CSV or NDJSON file that is written while it is read. Filters are those of ' +
      '`GET /v2/leads`; `fields` chooses the columns, which may be any property that the workspace has recorded. ' +
      'Values that a spreadsheet program would take for a formula begin with an apostrophe in CSV. A file that ends ' +
      'before the connection is closed properly is incomplete: export it again. Returns 400 `invalid_request` for a ' +
      'parameter that chooses a page.',
    response: { type: LeadsPage, fileType: 'text/csv', description: 'The rows, one per line.' },
  })
  async export(
    @CurrentCaller() { workspaceId }: Caller,
    @Query(parseWith(readExportQuery)) request: ListExportRequest,
  ): Promise<StreamableFile> {
    const { content, type, extension } = await this.leads.export(workspaceId, request);
    const disposition = `attachment; filename="leads.${extension}"`;
    return new StreamableFile(Readable.from(content, { objectMode: false }), { type, disposition });
  }

  /** Adds one lead or many. */
  @Post()
  @AddLeadsOperation(
    'addLeads',
    'Add a lead to a list',
    'Adds a lead, sent at the top level, or up to 1000 in `leads`, to a list.',
    ONE_LEAD_EXAMPLE,
  )
  add(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parseWith(readAddLeadsInput)) request: AddLeadsInput,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<AddLeadsResponse>> {
    return this.leads.add(workspaceId, attributeLeads(request), key);
  }

  /** Adds leads, as POST /v2/leads does. */
  @Post('bulk')
  @AddLeadsOperation(
    'addManyLeads',
    'Add many leads to a list',
    'Adds up to 1000 leads to a list. The same call as `POST /v2/leads`.',
    MANY_LEADS_EXAMPLE,
  )
  addMany(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parseWith(readAddLeadsInput)) request: AddLeadsInput,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<AddLeadsResponse>> {
    return this.leads.add(workspaceId, attributeLeads(request), key);
  }

  /** Updates a lead that is named in the body. */
  @Patch()
  @Operation({
    id: 'changeLeadById',
    summary: 'Update a lead by ID in the body',
    description:
      'Updates a lead like `PATCH /v2/leads/{id}`, with the ID in the body. Use it where the path cannot be ' +
      'varied. Returns 404 `lead_not_found` for an unknown lead.',
    body: { type: UpdateLeadRequest, example: { id: '0199f3a0-5b1c-7d34-9a1e-2f6b8c0d4e11', ...PROGRESS_EXAMPLE } },
    response: { type: LeadDetails, description: 'The lead after the update.' },
    isIdempotent: true,
  })
  updateById(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parseWith(body => readLeadUpdate(body))) change: LeadUpdate,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<LeadResponse>> {
    return this.updates.update(workspaceId, attributeUpdate(change), key);
  }

  /** Updates the lead in the path, for progress that no webhook has reported yet. */
  @Patch(':id')
  @UuidParam('lead')
  @Operation({
    id: 'changeLead',
    summary: 'Update a lead',
    description:
      "Updates the columns of a lead, for example to record progress before a provider's webhook arrives. " +
      '`features` and `fields` are merged into the existing ones. Any other field is recorded as a fact ' +
      'about the person. `sent_at` also records that an e-mail was sent, and `reply_outcome: "unsubscribe"` ' +
      'that the person unsubscribed, each only once. Returns 404 `lead_not_found` for an unknown lead and ' +
      '400 `no_updatable_fields` if no field can be changed.',
    body: { type: UpdateLeadRequest, example: PROGRESS_EXAMPLE },
    response: { type: LeadDetails, description: 'The lead after the update.' },
    isIdempotent: true,
  })
  update(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('id') id: string,
    @Body() body: unknown,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<LeadResponse>> {
    return this.updates.update(workspaceId, attributeUpdate(readLeadUpdate(body, id)), key);
  }
}
