import { Injectable } from '@nestjs/common';
import { toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { RulesCache } from '../claims/rules.cache.js';
import { type AmbiguousName, EntityResolverService } from '../identity/entity-resolver.service.js';
import { readMemberIds } from '../identity/links.queries.js';
import type { FacetCounts } from '../lists/facets.dto.js';
import { countFacets } from '../lists/facets.queries.js';
import type { FacetsRequest } from '../lists/facets-request.js';
import { exportList, type ListExport, type ListExportRequest } from '../lists/list-export.js';
import type { PageMeta } from '../lists/row-page.js';
import { type ListRequest } from '../lists/list-request.js';
import { HistoricalPeopleService } from './historical-people.service.js';
import { readRecentEvents, type RecentEvent } from './people.queries.js';
import { peopleListFields, peopleSource } from './people.source.js';
import { readPersonRows } from './person-reader.js';
import type { Row } from './person-row.js';

/** A page of people. */
export type PeopleListResponse = { readonly people: readonly Row[] } & PageMeta;

/** One person. */
export interface PersonResponse {
  readonly person: Row;
}

const MAX_RECENT_EVENTS = 10;

/** Reads people, as lists and one by one. */
@Injectable()
export class PeopleService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entities: EntityResolverService,
    private readonly history: HistoricalPeopleService,
    private readonly rules: RulesCache,
  ) {}

  /** Returns a page of people. @throws HubError `cursor_mismatch`, `unknown_query_param`. */
  list(workspace: string, request: ListRequest): Promise<PeopleListResponse> {
    return this.work.run(workspace, tx => this.readList(tx, request));
  }

  /** Returns all people that match, as a file. @throws HubError as {@link list}. */
  export(workspace: string, request: ListExportRequest): Promise<ListExport> {
    return exportList(this.work, workspace, request, async (tx, list) => {
      const { people, next_cursor } = await this.readList(tx, list);
      return { rows: people, next_cursor };
    });
  }

  /** Counts the claims of people by property. @throws HubError `unknown_query_param`. */
  countFacets(workspace: string, request: FacetsRequest): Promise<FacetCounts> {
    return this.work.run(workspace, tx => {
      const source = { ...peopleSource, rules: this.rules.get(tx.workspace).rules };
      return countFacets(tx, source, peopleListFields, request);
    });
  }

  private async readList(tx: Tx, request: ListRequest): Promise<PeopleListResponse> {
    const rules = this.rules.get(tx.workspace).rules;
    const source = { ...peopleSource, rules };
    const { ids, meta, readFacts } = await this.history.readPage(tx, source, peopleListFields, request);
    return { people: await readPersonRows(tx, ids, { ...request, past: await readFacts?.(ids), rules }), ...meta };
  }

  /**
   * Returns one person by any identifier or name, or the candidates of an ambiguous name.
   * @throws HubError `entity_not_found`, also for a company; `invalid_focus`.
   */
  read(workspace: string, id: string): Promise<PersonResponse | AmbiguousName> {
    return this.work.run(workspace, async tx => {
      const found = await this.entities.resolve(tx, id, { type: 'person' });
      if (typeof found !== 'string') return found;
      return { person: await this.loadPerson(tx, found) };
    });
  }

  private async loadPerson(tx: Tx, id: string): Promise<Row> {
    const members = await readMemberIds(tx, id);
    const [[row], events, [entity]] = await Promise.all([
      readPersonRows(tx, [id], { include: new Set() }),
      readRecentEvents(tx, members, MAX_RECENT_EVENTS),
      tx.query<{ type: string }>('SELECT type FROM entities WHERE workspace_id = $1 AND id = $2', [tx.workspace, id]),
    ]);
    if (!row || entity?.type !== 'person') throw HubError.entityNotFound();
    return { ...row, icp: { score: row['icp_score'], fit: row['icp_fit'] }, recent_activity: events.map(presentEvent) };
  }
}

function presentEvent({ observed_at, property, ...event }: RecentEvent): Row {
  return { ...event, property, type: property.slice(property.indexOf('.') + 1), observed_at: toIso(observed_at) };
}
