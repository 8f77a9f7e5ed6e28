import { Readable } from 'node:stream';
import { Body, Controller, Get, Param, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller, Scopes } from '#kernel/auth/caller.guard.js';
import { Operation, EntityIdParam } from '#kernel/http/openapi/operation.decorator.js';
import { parseWith } from '#kernel/http/request-validation.js';
import { AmbiguousNameDto } from '../identity/focus.dto.js';
import type { AmbiguousName } from '../identity/entity-resolver.service.js';
import { FacetCounts, FacetsRequestBody } from '../lists/facets.dto.js';
import { readFacetsRequest } from '../lists/facets-request.js';
import { type ListExportRequest, readListExport } from '../lists/list-export.js';
import { ListExportParameters, ListParameters, type RawQuery } from '../lists/list-parameters.js';
import { type ListRequest, readListRequest } from '../lists/list-request.js';
import { CompanyDetails, CompanyPage } from './companies.dto.js';
import { CompaniesService, type CompanyListResponse, type CompanyResponse } from './companies.service.js';
import { companyListFields } from './companies.source.js';

const readQuery = (query: unknown): ListRequest =>
  readListRequest(companyListFields, query as RawQuery, Date.now() * 1_000);
const readExportQuery = (query: unknown): ListExportRequest =>
  readListExport(companyListFields, query as RawQuery, Date.now() * 1_000);

/** Parameters that set a condition, with their descriptions. */
const COMPANY_PARAMETERS = {
  search: 'Text contained in the name, domain, industry or LinkedIn URL.',
  domain: 'Any domain of the company, exact match. `linkedin_url` works the same way.',
  icp_fit: 'Whether the Fit score is at least 70: `true` or `false`.',
  min_icp_score: 'Minimum Fit score, 0 to 100.',
  last_activity_before:
    'Without activity of the company or its people for at least this long, such as `30d`. Includes companies ' +
    'that never had any.',
  last_activity_after: 'With activity of the company or its people within this time, such as `7d`.',
  people_count: 'Number of people of the company. In `filter`, compare it: `{"people_count":{"$gte":3}}`.',
  industry: 'Industry of the company, by its claimed name.',
  stage: 'Pipeline stage, exact match.',
  status: 'Company status, exact match.',
  source: 'Acquisition source, exact match.',
};

/** Endpoints for companies as rows. */
@ApiTags('Companies')
@Controller('v2/companies')
export class CompaniesController {
  constructor(private readonly companies: CompaniesService) {}

  /** Lists companies that match a filter, page by page. */
  @Get()
  @ListParameters(COMPANY_PARAMETERS)
  @Operation({
    id: 'listCompanies',
    summary: 'List companies',
    description:
      'Returns companies, filtered by any field or property and by its confidence and freshness, with the same ' +
      'grammar as `GET /v2/people`. Rows are sorted by the latest addition unless `sort` says otherwise; the named ' +
      'orders are `recently_added`, `last_activity`, `last_activity_asc`, `icp_score` and `icp_score_asc`. Page with ' +
      '`cursor`. Sorting by activity reads the people of all matching companies, so combine it with a filter in large ' +
      'workspaces. Returns 400 `unknown_query_param` or `unknown_sort` for a name that does not exist.',
    response: { type: CompanyPage, description: 'A page of companies.' },
  })
  list(
    @CurrentCaller() { workspaceId }: Caller,
    @Query(parseWith(readQuery)) request: ListRequest,
  ): Promise<CompanyListResponse> {
    return this.companies.list(workspaceId, request);
  }

  /** Exports all companies that match a filter. */
  @Get('export')
  @ListExportParameters(COMPANY_PARAMETERS)
  @Operation({
    id: 'exportCompanies',
    summary: 'Export companies',
    description:
      'Returns all companies that match, as a CSV or NDJSON file that is written while it is read. Filters are those of ' +
      '`GET /v2/companies`; `fields` chooses the columns, which may be any property that the workspace has recorded. ' +
      'Values that a spreadsheet program would take for a formula begin with an apostrophe in CSV. A file that ends ' +
      'before the connection is closed properly is incomplete: export it again. Returns 400 `invalid_request` for a ' +
      'parameter that chooses a page.',
    response: { type: CompanyPage, fileType: 'text/csv', description: 'The rows, one per line.' },
  })
  async export(
    @CurrentCaller() { workspaceId }: Caller,
    @Query(parseWith(readExportQuery)) request: ListExportRequest,
  ): Promise<StreamableFile> {
    const { content, type, extension } = await this.companies.export(workspaceId, request);
    const disposition = `attachment; filename="companies.${extension}"`;
    return new StreamableFile(Readable.from(content, { objectMode: false }), { type, disposition });
  }

  /** Counts the claims of companies that match a filter. */
  @Post('facets')
  @Scopes('read')
  @Operation({
    id: 'countCompanyFacets',
    summary: 'Count the facts of companies',
    description:
      'Counts the current claims of the companies that match a filter: by property, and within each by freshness, ' +
      'epistemic class and source, with the claims that stand on a source alone and those that stop being fresh ' +
      'soon. In `GET /v2/companies`, the conditions `source`, `only_source` and `refresh_due_at` of a property find the ' +
      'rows behind a number. Reads all matching companies. Nothing is written. Returns 400 `unknown_query_param` for a ' +
      'property of the filter that was never stated, and 400 `invalid_request` for such a one in `properties`.',
    body: {
      type: FacetsRequestBody,
      example: { filter: { industry: { freshness: 'fresh' } }, properties: ['industry'] },
    },
    response: { type: FacetCounts, description: 'The counts by property.' },
  })
  countFacets(@CurrentCaller() { workspaceId }: Caller, @Body() body: FacetsRequestBody): Promise<FacetCounts> {
    return this.companies.countFacets(workspaceId, readFacetsRequest(companyListFields, body, Date.now() * 1_000));
  }

  /** Reads one company. */
  @Get(':id')
  @EntityIdParam('Entity UUID, domain, LinkedIn URL or name.', 'acme.com')
  @Operation({
    id: 'getCompany',
    summary: 'Get a company',
    description:
      'Returns the row of one company. Use `GET /v2/accounts/{id}` for every claim with its sources, the people and ' +
      'the timeline. If a name matches more than one company, the response has `status: "ambiguous"` and lists ' +
      '`candidates`. Returns 404 `entity_not_found` for an unknown identifier and for a person.',
    response: {
      type: CompanyDetails,
      alternatives: [AmbiguousNameDto],
      description: 'The company, or the candidates of an ambiguous name.',
    },
  })
  read(@CurrentCaller() { workspaceId }: Caller, @Param('id') id: string): Promise<CompanyResponse | AmbiguousName> {
    return this.companies.read(workspaceId, id);
  }
}
