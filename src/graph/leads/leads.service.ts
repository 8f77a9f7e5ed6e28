import { Injectable, Logger } from '@nestjs/common';
import { toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { perform } from '#kernel/db/rehearsal.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Answered } from '#kernel/idempotency/answered.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { once } from '#kernel/idempotency/kept-answers.js';
import type { ListRequest } from '../lists/list-request.js';
import { type PageAbout, readPage } from '../lists/page.js';
import { PastPeople } from '../people/past-people.service.js';
import type { Row } from '../people/person-row.js';
import { DedupService } from '../dedup/dedup.service.js';
import { ScoreService } from '../score/score.service.js';
import { showScore } from '../score/shown-score.js';
import type { AddRequest } from './add-request.js';
import { type Added, type AddedRow, addedTo, asRehearsed } from './added.js';
import { LeadAdder } from './lead-adder.js';
import { readLeadRows } from './lead-reader.js';
import { classesOf, type RowClass } from './row-classes.js';
import { leadsDialect, leadsSource } from './leads.source.js';

/** A page of leads. */
export type LeadsList = { readonly leads: readonly Row[] } & PageAbout;

/** Reads leads across lists, and adds rows to a list. */
@Injectable()
export class LeadsService {
  private readonly log = new Logger('leads');

  constructor(
    private readonly work: UnitOfWork,
    private readonly adder: LeadAdder,
    private readonly scores: ScoreService,
    private readonly dedup: DedupService,
    private readonly past: PastPeople,
  ) {}

  /** A page of leads. @throws HubError `cursor_mismatch`, `unknown_query_param`. */
  list(workspace: string, request: ListRequest): Promise<LeadsList> {
    return this.work.run(workspace, async tx => {
      const { ids, about } = await readPage(tx, leadsSource, leadsDialect, request);
      const { past, ...wish } = request;
      const factsOf = past && ((people: readonly string[]) => this.past.read(tx, people, past));
      return { leads: await readLeadRows(tx, ids, wish, factsOf), ...about };
    });
  }

  /**
   * Adds rows to a list and scores them. Scoring reads claims, which are kept with COMMIT, so it is a transaction of
   * its own; when it cannot be had the rows are there all the same, unscored. A dry run scores nobody. Plans are kept:
   * one made for a workspace that was empty when the server last counted reads all its leads for each of them.
   * @throws HubError `list_not_found`, `idempotency_conflict`, `unavailable`.
   */
  async add(workspace: string, request: AddRequest, key?: IdempotencyKey): Promise<Answered<Added>> {
    const write = (tx: Tx) => once(tx, key, () => this.added(tx, request));
    const added = await perform(this.work, workspace, request.dryRun, write, { keepPlans: true });
    if (!request.score || request.dryRun) return added;
    const { list_id, results } = added.body;
    const scored = await this.work
      .run(workspace, tx => this.scored(tx, results, added.replayed), { keepPlans: true })
      .catch((error: unknown) => (this.log.warn(`leads were added but not scored: ${String(error)}`), results));
    return new Answered(addedTo(list_id, scored), added.status, added.replayed);
  }

  private async added(tx: Tx, request: AddRequest): Promise<Answered<Added>> {
    const classes = request.dedup ? await classesOf(tx, this.dedup, request) : undefined;
    const { list, rows } = await this.adder.add(tx, request);
    const added = addedTo(list.id, classes ? withClasses(rows, classes) : rows);
    return request.dryRun ? new Answered(asRehearsed(added, list.isNew), 200) : new Answered(added, 201);
  }

  private async scored(tx: Tx, rows: readonly AddedRow[], replayed: boolean): Promise<AddedRow[]> {
    const ids = [...new Set(rows.flatMap(({ entity_id, lead_id }) => (lead_id === null ? [] : (entity_id ?? []))))];
    if (ids.length === 0) return [...rows];
    const now = await tx.now();
    const scores = await (replayed ? this.scores.scoreEntities(tx, ids) : this.scores.scoreAndKeep(tx, ids));
    return rows.map(row => {
      const score = row.entity_id === null ? undefined : scores.get(row.entity_id);
      return score ? { ...showScore(score, {}, toIso(now), false), ...row, persisted: true } : row;
    });
  }
}

function withClasses(rows: readonly AddedRow[], classes: ReadonlyMap<number, RowClass>): AddedRow[] {
  return rows.map(row => {
    const dedup = classes.get(row.index);
    return dedup ? { ...row, dedup } : row;
  });
}
