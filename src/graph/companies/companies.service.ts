import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { RulesCache } from '../claims/rules.cache.js';
import { type AmbiguousName, EntityResolverService } from '../identity/entity-resolver.service.js';
import type { ListRequest } from '../lists/list-request.js';
import type { FacetCounts } from '../lists/facets.dto.js';
import { countFacets } from '../lists/facets.queries.js';
import type { FacetsRequest } from '../lists/facets-request.js';
import { exportList, type ListExport, type ListExportRequest } from '../lists/list-export.js';
import type { PageMeta } from '../lists/row-page.js';
import { HistoricalPeopleService } from '../people/historical-people.service.js';
import type { Row } from '../people/person-row.js';
import { companiesSource, companyListFields } from './companies.source.js';
import { readCompanyRows } from './company-rows.js';

/** A page of companies. */
export type CompanyListResponse = { readonly companies: readonly Row[] } & PageMeta;

/** One company. */
export interface CompanyResponse {
  readonly company: Row;
}

/** Reads companies, as lists and one by one. */
@Injectable()
export class CompaniesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entities: EntityResolverService,
    private readonly history: HistoricalPeopleService,
    private readonly rules: RulesCache,
  ) {}

  /** Returns a page of companies. @throws HubError `cursor_mismatch`, `unknown_query_param`. */
  list(workspace: string, request: ListRequest): Promise<CompanyListResponse> {
    return this.work.run(workspace, tx => this.readList(tx, request));
  }

  /** Returns all companies that match, as a file. @throws HubError as {@link list}. */
  export(workspace: string, request: ListExportRequest): Promise<ListExport> {
    return exportList(this.work, workspace, request, async (tx, list) => {
      const { companies, next_cursor } = await this.readList(tx, list);
      return { rows: companies, next_cursor };
    });
  }

  /** Counts the claims of companies by property. @throws HubError `unknown_query_param`. */
  countFacets(workspace: string, request: FacetsRequest): Promise<FacetCounts> {
    return this.work.run(workspace, tx => {
      const source = { ...companiesSource, rules: this.rules.get(tx.workspace).rules };
      return countFacets(tx, source, companyListFields, request);
    });
  }

  private async readList(tx: Tx, request: ListRequest): Promise<CompanyListResponse> {
    const rules = this.rules.get(tx.workspace).rules;
    const source = { ...companiesSource, rules };
    const { ids, meta, readFacts } = await this.history.readPage(tx, source, companyListFields, request);
    return { companies: await readCompanyRows(tx, ids, { ...request, past: await readFacts?.(ids), rules }), ...meta };
  }

  /**
   * Returns one company by any identifier or name, or the candidates of an ambiguous name.
   * @throws HubError `entity_not_found`, also for a person; `invalid_focus`.
   */
  read(workspace: string, id: string): Promise<CompanyResponse | AmbiguousName> {
    return this.work.run(workspace, async tx => {
      const found = await this.entities.resolve(tx, id, { type: 'company' });
      if (typeof found !== 'string') return found;
      const [company] = await readCompanyRows(tx, [found], { include: new Set() });
      if (!company) throw HubError.entityNotFound();
      return { company };
    });
  }
}
