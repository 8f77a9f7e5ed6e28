import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { SearchQueryDto, SearchResult } from './search.dto.js';
import { type SearchResponse, SearchService } from './search.service.js';

/** Serves the search for people and companies. */
@ApiTags('Entities')
@Controller('v2/search')
export class SearchController {
  constructor(private readonly searches: SearchService) {}

  /** Finds people and companies by what was typed so far. */
  @Get()
  @Operation({
    id: 'searchEntities',
    summary: 'Search people and companies',
    description:
      'Returns people and companies that match a text, the best match first: exact ones, names that begin with it, ' +
      'names with all of its words (also as nicknames, or together with the company), and names with typing errors. ' +
      'Accents and legal forms do not matter. Use it while somebody types, or to find the ID that a write needs; use ' +
      '`GET /v2/people` and `GET /v2/companies` to filter by facts. Returns an empty list if nothing matches, and 400 ' +
      '`invalid_request` without `q`. The work is bounded: where each word of the text is very frequent, some matches ' +
      'may be missing.',
    response: { type: SearchResult, description: 'The best matches.' },
  })
  search(@CurrentCaller() { workspaceId }: Caller, @Query() query: SearchQueryDto): Promise<SearchResponse> {
    return this.searches.search(workspaceId, query);
  }
}
