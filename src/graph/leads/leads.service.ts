import { Injectable } from '@nestjs/common';
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
import type { EntityScore } from '../score/score-writer.js';
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
  constructor(
    private readonly work: UnitOfWork,
    private readonly adder: LeadAdder,
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
   * Adds rows to a list and scores them; a dry run scores nobody. Plans are kept: one made for a workspace that was
   * empty when the server last counted reads all its leads for each of them.
   * @throws HubError `list_not_found`, `idempotency_conflict`, `unavailable`.
   */
  add(workspace: string, request: AddRequest, key?: IdempotencyKey): Promise<Answered<Added>> {
    const write = (tx: Tx) => once(tx, key, () => this.added(tx, request));
    return perform(this.work, workspace, request.dryRun, write, { keepPlans: true });
  }

  private async added(tx: Tx, request: AddRequest): Promise<Answered<Added>> {
    const classes = request.dedup ? await classesOf(tx, this.dedup, request) : undefined;
    const { list, rows, scores } = await this.adder.add(tx, request);
    const at = toIso(await tx.now());
    const scored = rows.map(row => withScore(classes ? withClass(row, classes) : row, scores, at));
    const added = addedTo(list.id, scored);
    return request.dryRun ? new Answered(asRehearsed(added, list.isNew), 200) : new Answered(added, 201);
  }
}

function withScore(row: AddedRow, scores: ReadonlyMap<string, EntityScore>, at: string): AddedRow {
  const known = row.entity_id === null ? undefined : scores.get(row.entity_id);
  return known ? { ...showScore(known.score, {}, at, false), ...row, persisted: true } : row;
}

function withClass(row: AddedRow, classes: ReadonlyMap<number, RowClass>): AddedRow {
  const dedup = classes.get(row.index);
  return dedup ? { ...row, dedup } : row;
}
