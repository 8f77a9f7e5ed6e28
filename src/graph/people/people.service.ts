import { Injectable } from '@nestjs/common';
import { toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { type Ambiguous, FinderService } from '../identity/finder.service.js';
import { membersOf } from '../identity/members.js';
import { type PageAbout, readPage } from '../lists/page.js';
import { type ListRequest } from '../lists/list-request.js';
import { PastPeople } from './past-people.service.js';
import { readRecentEvents, type RecentEvent } from './people.queries.js';
import { peopleDialect, peopleSource } from './people.source.js';
import { readRows } from './person-reader.js';
import type { Row } from './person-row.js';

/** A page of people. */
export type PeopleList = { readonly people: readonly Row[] } & PageAbout;

/** One person. */
export interface PersonAnswer {
  readonly person: Row;
}

const RECENT = 10;

/** Reads people, in lists and one by one. */
@Injectable()
export class PeopleService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly finder: FinderService,
    private readonly past: PastPeople,
  ) {}

  /** A page of people. @throws HubError `cursor_mismatch`, `unknown_query_param`. */
  list(workspace: string, request: ListRequest): Promise<PeopleList> {
    return this.work.run(workspace, async tx => {
      const { ids, about } = await readPage(tx, peopleSource, peopleDialect, request);
      const facts = request.past && (await this.past.read(tx, ids, request.past));
      return { people: await readRows(tx, ids, { ...request, past: facts }), ...about };
    });
  }

  /** One person by any identifier form. @throws HubError `entity_not_found`, also for a company; `invalid_focus`. */
  read(workspace: string, id: string): Promise<PersonAnswer | Ambiguous> {
    return this.work.run(workspace, async tx => {
      const found = await this.finder.find(tx, id, { type: 'person' });
      if (typeof found !== 'string') return found;
      return { person: await this.personOf(tx, found) };
    });
  }

  private async personOf(tx: Tx, id: string): Promise<Row> {
    const members = await membersOf(tx, id);
    const [[row], events, [entity]] = await Promise.all([
      readRows(tx, [id], { include: new Set() }),
      readRecentEvents(tx, members, RECENT),
      tx.query<{ type: string }>('SELECT type FROM entities WHERE workspace_id = $1 AND id = $2', [tx.workspace, id]),
    ]);
    if (!row || entity?.type !== 'person') throw HubError.entityNotFound();
    return { ...row, icp: { score: row['icp_score'], fit: row['icp_fit'] }, recent_activity: events.map(showEvent) };
  }
}

function showEvent({ observed_at, property, ...event }: RecentEvent): Row {
  return { ...event, property, type: property.slice(property.indexOf('.') + 1), observed_at: toIso(observed_at) };
}
