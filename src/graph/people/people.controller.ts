import { Readable } from 'node:stream';
import { Body, Controller, Get, Param, Patch, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller, Scopes } from '#kernel/auth/caller.guard.js';
import { EntityIdParam, Operation } from '#kernel/http/openapi/operation.decorator.js';
import { parseWith } from '#kernel/http/request-validation.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import type { AmbiguousName } from '../identity/entity-resolver.service.js';
import { FacetCounts, FacetsRequestBody } from '../lists/facets.dto.js';
import { readFacetsRequest } from '../lists/facets-request.js';
import { type ListExportRequest, readListExport } from '../lists/list-export.js';
import { ListExportParameters, ListParameters, type RawQuery } from '../lists/list-parameters.js';
import { type ListRequest, readListRequest } from '../lists/list-request.js';
import { PeopleWriteService, type PersonWriteResponse } from './people-write.service.js';
import { PersonPage, PersonDetails } from './people.dto.js';
import { type PeopleListResponse, PeopleService, type PersonResponse } from './people.service.js';
import { peopleListFields } from './people.source.js';
import { UpdatePersonRequest, CreatePersonRequest, PersonWriteResult } from './person-write.dto.js';
import { type PersonRequest, attributePerson, readNewPerson, readPersonUpdate } from './person-request.js';
import { AmbiguousNameDto } from '../identity/focus.dto.js';

const readQuery = (query: unknown): ListRequest =>
  readListRequest(peopleListFields, query as RawQuery, Date.now() * 1_000);
const readExportQuery = (query: unknown): ListExportRequest =>
  readListExport(peopleListFields, query as RawQuery, Date.now() * 1_000);

/** Parameters that set a condition, with their descriptions. */
const PEOPLE_PARAMETERS = {
  search: 'Text contained in the e-mail address, name, company or LinkedIn URL.',
  has_email: 'Whether the person has an e-mail address: `true` or `false`.',
  has_linkedin: 'Whether the person has a LinkedIn profile: `true` or `false`.',
  icp_fit: 'Whether the Fit score is at least 70: `true` or `false`.',
  min_icp_score: 'Minimum Fit score, 0 to 100.',
  last_activity_before: 'Without activity for at least this long, such as `30d`. Includes people who never had any.',
  last_activity_after: 'With activity within this time, such as `7d`.',
  account: 'Company that the person belongs to, by UUID or domain.',
  company: 'Company of the person, by its claimed name or domain.',
  pipeline_stage: 'Pipeline stage, exact match.',
  status: 'Contact status, exact match.',
  source: 'Acquisition source, exact match.',
  email: 'Any e-mail address of the person, exact match after normalisation. `linkedin_url` works the same way.',
};

/** Endpoints for people as rows. */
@ApiTags('People')
@Controller('v2/people')
export class PeopleController {
  constructor(
    private readonly people: PeopleService,
    private readonly writes: PeopleWriteService,
  ) {}

  /** Lists people that match a filter, page by page. */
  @Get()
  @ListParameters(PEOPLE_PARAMETERS)
  @Operation({
    id: 'listPeople',
    summary: 'List people',
    description:
      'Returns people, filtered by any field or property and by its confidence and freshness. Rows are ' +
      'sorted by latest activity unless `sort` says otherwise; the named orders are `last_activity`, ' +
      '`last_activity_asc`, `icp_score`, `icp_score_asc` and `recently_added`. Page with `cursor`: it is ' +
      'equally fast on every page and stays stable while people are added. Returns 400 ' +
      '`unknown_query_param` or `unknown_sort` for a name that does not exist.',
    response: { type: PersonPage, description: 'A page of people.' },
  })
  list(
    @CurrentCaller() { workspaceId }: Caller,
    @Query(parseWith(readQuery)) request: ListRequest,
  ): Promise<PeopleListResponse> {
    return this.people.list(workspaceId, request);
  }

  /** Exports all people that match a filter. */
  @Get('export')
  @ListExportParameters(PEOPLE_PARAMETERS)
  @Operation({
    id: 'exportPeople',
    summary: 'Export people',
    description:
      'Returns all people that match, as a CSV or NDJSON file that is written while it is read. Filters are those of ' +
      '`GET /v2/people`; `fields` chooses the columns, which may be any property that the workspace has recorded. ' +
      'Values that a spreadsheet program would take for a formula begin with an apostrophe in CSV. A file that ends ' +
      'before the connection is closed properly is incomplete: export it again. Returns 400 `invalid_request` for a ' +
      'parameter that chooses a page.',
    response: { type: PersonPage, fileType: 'text/csv', description: 'The rows, one per line.' },
  })
  async export(
    @CurrentCaller() { workspaceId }: Caller,
    @Query(parseWith(readExportQuery)) request: ListExportRequest,
  ): Promise<StreamableFile> {
    const { content, type, extension } = await this.people.export(workspaceId, request);
    const disposition = `attachment; filename="people.${extension}"`;
    return new StreamableFile(Readable.from(content, { objectMode: false }), { type, disposition });
  }

  /** Counts the claims of people that match a filter. */
  @Post('facets')
  @Scopes('read')
  @Operation({
    id: 'countPeopleFacets',
    summary: 'Count the facts of people',
    description:
      'Counts the current claims of the people that match a filter: by property, and within each by freshness, ' +
      'epistemic class and source, with the claims that stand on a source alone and those that stop being fresh ' +
      'soon. In `GET /v2/people`, the conditions `source`, `only_source` and `refresh_due_at` of a property find the ' +
      'rows behind a number. Reads all matching people. Nothing is written. Returns 400 `unknown_query_param` for a ' +
      'property of the filter that was never stated, and 400 `invalid_request` for such a one in `properties`.',
    body: { type: FacetsRequestBody, example: { filter: { title: { freshness: 'fresh' } }, properties: ['title'] } },
    response: { type: FacetCounts, description: 'The counts by property.' },
  })
  countFacets(@CurrentCaller() { workspaceId }: Caller, @Body() body: FacetsRequestBody): Promise<FacetCounts> {
    return this.people.countFacets(workspaceId, readFacetsRequest(peopleListFields, body, Date.now() * 1_000));
  }

  /** Reads one person with recent events. */
  @Get(':id')
  @EntityIdParam('Entity UUID, e-mail address, LinkedIn URL or name.')
  @Operation({
    id: 'getPerson',
    summary: 'Get a person',
    description:
      'Returns the row of one person with the latest score and events. Use `GET /v2/accounts/{id}` for ' +
      'every claim with its sources. If a name matches more than one person, the response has `status: ' +
      '"ambiguous"` and lists `candidates`. Returns 404 `entity_not_found` for an unknown identifier.',
    response: {
      type: PersonDetails,
      alternatives: [AmbiguousNameDto],
      description: 'The person, or the candidates of an ambiguous name.',
    },
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
      'Finds a person by e-mail address, LinkedIn URL or an ID in another system, or creates one (a ' +
      'company, if only `domain` is sent). Use it for form intake and imports. Every other field is ' +
      'recorded as a fact under the source `form`, unless `source` names another; null ends a fact. Returns ' +
      '201 if the person was created and 200 if they existed, 400 `identifier_required` without an ' +
      'identifier, and 409 `identifier_conflict` if the identifiers belong to different entities.',
    body: {
      type: CreatePersonRequest,
      example: { email: 'grace@acme.com', name: 'Grace Hopper', title: 'CTO', company: 'Acme', source: 'form' },
    },
    response: { type: PersonWriteResult, description: 'The person that was created.' },
    status: 201,
    existingDescription: 'The existing person after the write, or the result of a dry run.',
    isIdempotent: true,
  })
  create(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parseWith(readNewPerson)) request: PersonRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<PersonWriteResponse>> {
    return this.writes.create(workspaceId, attributePerson(request), key);
  }

  /** Updates a person who is named in the body. */
  @Patch()
  @Operation({
    id: 'changePersonByFocus',
    summary: 'Update a person by identifier in the body',
    description:
      'Records facts about an existing person like `PATCH /v2/people/{id}`, with the person in `focus` or ' +
      'identified by the e-mail address or LinkedIn URL in the body. Returns 404 `entity_not_found` for an ' +
      'unknown person.',
    body: {
      type: UpdatePersonRequest,
      example: { focus: 'ada@acme.com', title: 'CRO', properties: { seniority: 'c_level' } },
    },
    response: { type: PersonWriteResult, description: 'The person after the update.' },
    isIdempotent: true,
  })
  updateByFocus(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parseWith(body => readPersonUpdate(body))) request: PersonRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<PersonWriteResponse>> {
    return this.writes.update(workspaceId, attributePerson(request), key);
  }

  /** Updates the person in the path. */
  @Patch(':id')
  @EntityIdParam('Entity UUID, e-mail address, domain or LinkedIn URL. A bare name is refused.')
  @Operation({
    id: 'changePerson',
    summary: 'Update a person',
    description:
      'Records every field as a fact about an existing person, with source `agent` and method `assert`; ' +
      'null ends a fact. Nothing is overwritten: claims are derived from all observations, so a stronger ' +
      'source can prevail. Returns 404 `entity_not_found` for an unknown person and 400 ' +
      '`no_updatable_fields` if there is nothing to record.',
    body: { type: UpdatePersonRequest, example: { title: 'CRO', company: null } },
    response: { type: PersonWriteResult, description: 'The person after the update.' },
    isIdempotent: true,
  })
  update(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('id') id: string,
    @Body() body: unknown,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<PersonWriteResponse>> {
    return this.writes.update(workspaceId, attributePerson(readPersonUpdate(body, id)), key);
  }
}
