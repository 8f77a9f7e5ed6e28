import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { HubError } from '#kernel/errors/errors.js';
import { unknownFields } from '#kernel/errors/unknown-fields.js';
import { ROWS_BODY_LIMITS, BodyLimit } from '#kernel/http/body-limit.js';
import { UuidInPath } from '#kernel/http/openapi/in-path.decorators.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { parsedBy } from '#kernel/http/validation.js';
import type { Answered } from '#kernel/idempotency/answered.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { objectOf } from '../people/person-request.js';
import { type AddRequest, listIdOf, readAttach } from './add-request.js';
import type { Added } from './added.js';
import {
  DeletedListDto,
  LeadListAnswerDto,
  LeadListsDto,
  LeadListsQueryDto,
  NewLeadListDto,
} from './lead-lists.dto.js';
import { type LeadLists, LeadListsService, type NewList, type ShownList } from './lead-lists.service.js';
import { AddedDto, AttachDto } from './leads.dto.js';
import { LeadsService } from './leads.service.js';
import { shortText } from './row-values.js';

const MAX_LIMIT = 1_000;

/** Lists that leads stand in. */
@ApiTags('lead lists')
@Controller('v2/lead-lists')
export class LeadListsController {
  constructor(
    private readonly lists: LeadListsService,
    private readonly leads: LeadsService,
  ) {}

  /** All of them, page by page. */
  @Get()
  @Operation({
    id: 'listLeadLists',
    summary: 'List lead lists',
    description: 'The lead lists of the workspace, newest first, each with how many leads are in it.',
    answer: { type: LeadListsDto, description: 'A page of lists.' },
  })
  list(@CurrentCaller() { workspaceId }: Caller, @Query() query: LeadListsQueryDto): Promise<LeadLists> {
    return this.lists.list(workspaceId, Math.min(query.limit ?? 100, MAX_LIMIT), query.cursor);
  }

  /** An empty one. */
  @Post()
  @Operation({
    id: 'createLeadList',
    summary: 'Create a lead list',
    description: 'Makes an empty list. Rows come by `POST /v2/leads` or `POST /v2/lead-lists/attach`.',
    body: { type: NewLeadListDto },
    answer: { type: LeadListAnswerDto, description: 'The list.' },
    status: 201,
    writes: true,
  })
  create(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parsedBy(readNewList)) list: NewList,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<Answered<{ lead_list: ShownList }>> {
    return this.lists.create(workspaceId, list, key);
  }

  /** Rows that were built elsewhere. */
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
      type: AttachDto,
      example: {
        name: 'Webinar November',
        external_id: 'webinar-2026-11',
        rows: [{ email: 'grace@acme.com', name: 'Grace Hopper', fields: { opener: 'Saw your talk' } }],
      },
    },
    answer: { type: AddedDto, description: 'What became of each row.' },
    status: 201,
    known: 'Of a dry run: what would become of each row. Nobody is added, and nobody is scored.',
    writes: true,
  })
  attach(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parsedBy(readAttach)) request: AddRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<Answered<Added>> {
    return this.leads.add(workspaceId, request, key);
  }

  /** The people stay. */
  @Delete(':id')
  @UuidInPath('list')
  @Operation({
    id: 'deleteLeadList',
    summary: 'Delete a lead list',
    description: 'Takes a list and the leads in it away. The people, and all that is known of them, stay.',
    answer: { type: DeletedListDto, description: 'That it is gone.' },
    writes: true,
  })
  remove(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('id', parsedBy(listIdOf)) id: string,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<Answered<{ deleted: true; id: string }>> {
    return this.lists.remove(workspaceId, id, key);
  }
}

function readNewList(body: unknown): NewList {
  const asked = objectOf(body);
  const unknown = unknownFields(asked, ['name', 'source']);
  if (unknown.length > 0) throw HubError.invalidRequest(unknown);
  if (typeof (asked['name'] ?? '') === 'string' && !String(asked['name'] ?? '').trim())
    throw new HubError('name required');
  return { name: shortText(asked, 'name')!, source: shortText(asked, 'source') ?? 'manual' };
}
