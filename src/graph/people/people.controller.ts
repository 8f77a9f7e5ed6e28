import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { EntityIdParam } from '#kernel/http/openapi/path-params.decorators.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { parseWith } from '#kernel/http/request-validation.pipe.js';
import type { HandlerResponse } from '#kernel/http/handler-response.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import type { AmbiguousName } from '../identity/entity-resolver.service.js';
import { ListParameters } from '../lists/list-parameters.js';
import { type ListRequest, readListRequest } from '../lists/list-request.js';
import type { RawQuery } from '../lists/query-values.js';
import { PeopleWriteService, type PersonWriteResponse } from './people-write.service.js';
import { PersonPage, PersonDetails } from './people.dto.js';
import { type PeopleListResponse, PeopleService, type PersonResponse } from './people.service.js';
import { peopleListFields } from './people.source.js';
import { UpdatePersonRequest, CreatePersonRequest, PersonWriteResult } from './person-write.dto.js';
import { type PersonRequest, readNewPerson, readPersonUpdate } from './person-request.js';

const readQuery = (query: unknown): ListRequest =>
  readListRequest(peopleListFields, query as RawQuery, Date.now() * 1_000);

/** Endpoints for people as rows. */
@ApiTags('people')
@Controller('v2/people')
export class PeopleController {
  constructor(
    private readonly people: PeopleService,
    private readonly writes: PeopleWriteService,
  ) {}

  /** Lists people that match a filter, page by page. */
  @Get()
  @ListParameters({
    search: 'Text within e-mail address, name, company or LinkedIn URL.',
    has_email: 'Whether an address is known: true or false.',
    has_linkedin: 'Whether a profile is known: true or false.',
    icp_fit: 'Whether the score is at least 70: true or false.',
    min_icp_score: 'Least score, 0 to 100.',
    last_activity_before: 'Quiet for that long (`30d`), or always.',
    last_activity_after: 'Active within that time (`7d`).',
    account: 'UUID or domain of the company.',
    company: 'The company as it is claimed, or its domain.',
    pipeline_stage: 'The stage.',
    status: 'The status.',
    source: 'Where the person came from.',
    email: 'An address of theirs. `linkedin_url` works alike.',
  })
  @Operation({
    id: 'listPeople',
    summary: 'List people',
    description:
      'People by any field or property, also by how sure and how fresh it is. Sorted by the latest activity unless ' +
      '`sort` says otherwise; its named orders are `last_activity`, `last_activity_asc`, `icp_score`, `icp_score_asc` ' +
      'and `recently_added`. Pages by cursor cost the same however deep, and stay right while people are added.',
    response: { type: PersonPage, description: 'A page of people.' },
  })
  list(
    @CurrentCaller() { workspaceId }: Caller,
    @Query(parseWith(readQuery)) request: ListRequest,
  ): Promise<PeopleListResponse> {
    return this.people.list(workspaceId, request);
  }

  /** Reads one person with recent events. */
  @Get(':id')
  @EntityIdParam('Entity UUID, e-mail address, LinkedIn URL or name.')
  @Operation({
    id: 'getPerson',
    summary: 'Read a person',
    description:
      'The row of one person with the latest events. Everything claimed of them, with sources, is in the account. A ' +
      'name that several bear is answered with `status: "ambiguous"` and `candidates`.',
    response: { type: PersonDetails, description: 'The person, or the candidates of a name.' },
  })
  read(@CurrentCaller() { workspaceId }: Caller, @Param('id') id: string): Promise<PersonResponse | AmbiguousName> {
    return this.people.read(workspaceId, id);
  }

  /** Creates a person or updates a match. */
  @Post()
  @Operation({
    id: 'createPerson',
    summary: 'Create a person',
    description:
      'Finds the person by address, profile or the id of another system, or makes them (a company by `domain` alone). ' +
      'Every other field is asserted as a fact, under the source `form` unless `source` names another; null ends a ' +
      'fact. 201 when somebody was made, 200 when they were known.',
    body: {
      type: CreatePersonRequest,
      example: { email: 'grace@acme.com', name: 'Grace Hopper', title: 'CTO', company: 'Acme', source: 'form' },
    },
    response: { type: PersonWriteResult, description: 'The person as they are now.' },
    status: 201,
    existingDescription: 'The person, who was known.',
    isIdempotent: true,
  })
  create(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parseWith(readNewPerson)) request: PersonRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<PersonWriteResponse>> {
    return this.writes.create(workspaceId, request, key);
  }

  /** Updates a person who is named in the body. */
  @Patch()
  @Operation({
    id: 'changePersonByFocus',
    summary: 'Assert facts of a person',
    description:
      'As `PATCH /v2/people/{id}`, with the person in `focus`, or told by the address or profile in the body.',
    body: {
      type: UpdatePersonRequest,
      example: { focus: 'ada@acme.com', title: 'CRO', properties: { seniority: 'c_level' } },
    },
    response: { type: PersonWriteResult, description: 'The person as they are now.' },
    isIdempotent: true,
  })
  updateByFocus(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parseWith(body => readPersonUpdate(body))) request: PersonRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<PersonWriteResponse>> {
    return this.writes.update(workspaceId, request, key);
  }

  /** Updates the person in the path. */
  @Patch(':id')
  @EntityIdParam('Entity UUID, e-mail address, domain or LinkedIn URL. A bare name is refused.')
  @Operation({
    id: 'changePerson',
    summary: 'Assert facts of a person',
    description:
      'Every field is asserted as a fact of somebody who is there, as source `agent`, method `assert`; null ends a ' +
      'fact. Nothing is overwritten: claims are derived from all that was ever stated.',
    body: { type: UpdatePersonRequest, example: { title: 'CRO', company: null } },
    response: { type: PersonWriteResult, description: 'The person as they are now.' },
    isIdempotent: true,
  })
  update(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('id') id: string,
    @Body() body: unknown,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<PersonWriteResponse>> {
    return this.writes.update(workspaceId, readPersonUpdate(body, id), key);
  }
}
