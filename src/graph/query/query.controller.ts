import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Query } from '#domain/query/query.js';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Scopes } from '#kernel/auth/scopes.decorator.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { parseWith } from '#kernel/http/request-validation.pipe.js';
import type { AmbiguousName } from '../identity/entity-resolver.service.js';
import { QueryResult, QueryRequest } from './query.dto.js';
import { readQuery } from './query-request.js';
import { QueryService } from './query.service.js';
import type { QueryResponse } from './query.presenter.js';

/** Serves the query endpoint. */
@ApiTags('query')
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
      'Retrieves observations across entities, counts, groups and sums them up. `scope` says which, `without` leaves ' +
      'out entities that have others, `return: "entities"` gives whose they are, `question` ranks. Meetings are found ' +
      'by their start, so future ones with a future `from`. What is counted, grouped and ranked are the first 2000 in ' +
      'the order of the query; `sampled` says when there is more; a question, and `facts`, look at the first 1000 of them.',
    body: { type: QueryRequest },
    response: { type: QueryResult, description: 'What was found.' },
  })
  run(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parseWith(body => readQuery(body, Date.now() * 1000))) query: Query,
  ): Promise<QueryResponse | AmbiguousName> {
    return this.queries.run(workspaceId, query);
  }
}
