import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Query } from '#domain/query/query.js';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller, Scopes } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { parseWith } from '#kernel/http/request-validation.js';
import type { AmbiguousName } from '../identity/entity-resolver.service.js';
import { QueryResult, QueryRequest } from './query.dto.js';
import { readQuery } from './query-request.js';
import { QueryService } from './query.service.js';
import type { QueryResponse } from './query.presenter.js';
import { AmbiguousNameDto } from '../identity/focus.dto.js';

/** Serves the query endpoint. */
@ApiTags('Query')
@Controller('v2/query')
export class QueryController {
  constructor(private readonly queries: QueryService) {}

  /** Runs a query over the observations of the workspace. Writes nothing. */
  @Post()
  @Scopes('read')
  @Operation({
    id: 'queryObservations',
    summary: 'Query observations',
    description:
      'Retrieves, counts, groups and summarises observations across entities. `scope` selects observations, ' +
      '`without` excludes entities that have others, `return: "entities"` returns the entities instead, and ' +
      '`question` ranks the matches. Meetings count by their start time, so a future `from` finds upcoming ' +
      'ones. Counts, groups and ranking cover the first 2000 matches in the order of the query, and ' +
      '`question` and `facts` the first 1000; `sampled` is true if there are more. If a name in the scope ' +
      'matches more than one entity, the response has `status: "ambiguous"` and lists `candidates`. Nothing ' +
      'is written.',
    body: {
      type: QueryRequest,
      example: { scope: { property: 'interaction.email_replied', since_days: 30 }, return: 'entities' },
    },
    response: {
      type: QueryResult,
      alternatives: [AmbiguousNameDto],
      description: 'The matches, or the candidates of an ambiguous name.',
    },
  })
  run(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parseWith(body => readQuery(body, Date.now() * 1000))) query: Query,
  ): Promise<QueryResponse | AmbiguousName> {
    return this.queries.run(workspaceId, query);
  }
}
