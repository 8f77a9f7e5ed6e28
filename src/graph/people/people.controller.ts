import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { parsedBy } from '#kernel/http/validation.js';
import type { Ambiguous } from '../identity/finder.service.js';
import { ListParameters } from '../lists/list-parameters.js';
import { type ListRequest, type RawQuery, readListRequest } from '../lists/list-request.js';
import { PeopleListDto, PersonAnswerDto } from './people.dto.js';
import { type PeopleList, PeopleService, type PersonAnswer } from './people.service.js';
import { peopleDialect } from './people.source.js';

const readQuery = (query: unknown): ListRequest =>
  readListRequest(peopleDialect, query as RawQuery, Date.now() * 1_000);

/** People, as rows. */
@ApiTags('people')
@Controller('v2/people')
export class PeopleController {
  constructor(private readonly people: PeopleService) {}

  /** Everybody who passes a filter, page by page. */
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
    email: 'An address of theirs.',
    linkedin_url: 'Their profile.',
  })
  @Operation({
    id: 'listPeople',
    summary: 'List people',
    description:
      'People by any field or property, also by how sure and how fresh it is. Sorted by the latest activity unless ' +
      '`sort` says otherwise; its named orders are `last_activity`, `last_activity_asc`, `icp_score`, `icp_score_asc` ' +
      'and `recently_added`. Pages by cursor cost the same however deep, and stay right while people are added.',
    answer: { type: PeopleListDto, description: 'A page of people.' },
  })
  list(
    @CurrentCaller() { workspaceId }: Caller,
    @Query(parsedBy(readQuery)) request: ListRequest,
  ): Promise<PeopleList> {
    return this.people.list(workspaceId, request);
  }

  /** One person, with what happened lately. */
  @Get(':id')
  @ApiParam({
    name: 'id',
    description: 'Entity UUID, e-mail address, LinkedIn URL or name.',
    example: 'ada@acme.com',
    schema: { type: 'string', maxLength: 320 },
  })
  @Operation({
    id: 'getPerson',
    summary: 'Read a person',
    description:
      'The row of one person with the latest events. Everything claimed of them, with sources, is in the account. A ' +
      'name that several bear is answered with `status: "ambiguous"` and `candidates`.',
    answer: { type: PersonAnswerDto, description: 'The person, or the candidates of a name.' },
  })
  read(@CurrentCaller() { workspaceId }: Caller, @Param('id') id: string): Promise<PersonAnswer | Ambiguous> {
    return this.people.read(workspaceId, id);
  }
}
