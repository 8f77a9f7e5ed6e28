import { Injectable } from '@nestjs/common';
import { toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { runMaybeDry, UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import { RulesCache } from '../claims/rules.cache.js';
import { ScaleCache } from '../facts/facts.caches.js';
import type { ListRequest } from '../lists/list-request.js';
import { exportList, type ListExport, type ListExportRequest } from '../lists/list-export.js';
import type { PageMeta } from '../lists/row-page.js';
import { HistoricalPeopleService } from '../people/historical-people.service.js';
import type { Row } from '../people/person-row.js';
import { DedupService } from '../dedup/dedup.service.js';
import type { EntityScore } from '../score/score.writer.js';
import { presentScore } from '../score/score.presenter.js';
import type { AddLeadsInput } from './add-leads-request.js';
import {
  type AddLeadsResponse,
  type AddLeadResult,
  summarizeResults,
  asDryRun,
  classifyRows,
  type OutreachClass,
} from './leads.presenter.js';
import { AddLeadsService } from './add-leads.service.js';
import { readLeadRows, leadListFields, leadsSource } from './leads.source.js';

/** A page of leads. */
export type LeadsListResponse = { readonly leads: readonly Row[] } & PageMeta;

/** Reads leads across lists, and adds rows to a list. */
@Injectable()
export class LeadsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly adder: AddLeadsService,
    private readonly dedup: DedupService,
    private readonly historicalPeople: HistoricalPeopleService,
    private readonly rules: RulesCache,
    private readonly scales: ScaleCache,
  ) {}

  /** Returns a page of leads. @throws HubError `cursor_mismatch`, `unknown_query_param`. */
  list(workspace: string, request: ListRequest): Promise<LeadsListResponse> {
    return this.work.run(workspace, tx => this.readList(tx, request));
  }

  /** Returns all leads that match, as a file. @throws HubError as {@link list}. */
  export(workspace: string, request: ListExportRequest): Promise<ListExport> {
    return exportList(this.work, workspace, request, async (tx, list) => {
      const { leads, next_cursor } = await this.readList(tx, list);
      return { rows: leads, next_cursor };
    });
  }

  private async readList(tx: Tx, request: ListRequest): Promise<LeadsListResponse> {
    const rules = this.rules.get(tx.workspace).rules;
    const source = { ...leadsSource, rules };
    const { ids, meta, readFacts } = await this.historicalPeople.readPage(tx, source, leadListFields, request);
    const { past: _time, ...parts } = request;
    const options = { ...parts, rules, scale: this.scales.get(tx.workspace) };
    return { leads: await readLeadRows(tx, ids, options, readFacts), ...meta };
  }

  /**
   * Adds rows to a list and scores them; a dry run does not score. Uses generic plans: a custom plan made while the
   * statistics say the workspace is empty would read all its leads for each row.
   * @throws HubError `list_not_found`, `idempotency_conflict`, `unavailable`.
   */
  add(workspace: string, request: AddLeadsInput, key?: IdempotencyKey): Promise<HandlerResponse<AddLeadsResponse>> {
    const write = (tx: Tx) => runOnce(tx, key, () => this.addInTransaction(tx, request));
    return runMaybeDry(this.work, workspace, request.dryRun, write, { useGenericPlans: true });
  }

  private async addInTransaction(tx: Tx, request: AddLeadsInput): Promise<HandlerResponse<AddLeadsResponse>> {
    const classes = request.dedup ? await classifyRows(tx, this.dedup, request) : undefined;
    const { list, rows, scores } = await this.adder.add(tx, request);
    const at = toIso(await tx.now());
    const scored = rows.map(row => withScore(classes ? withClass(row, classes) : row, scores, at));
    const added = summarizeResults(list.id, scored);
    return request.dryRun ? new HandlerResponse(asDryRun(added, list.isNew), 200) : new HandlerResponse(added, 201);
  }
}

function withScore(row: AddLeadResult, scores: ReadonlyMap<string, EntityScore>, at: string): AddLeadResult {
  const known = row.entity_id === null ? undefined : scores.get(row.entity_id);
  return known ? { ...presentScore(known.score, {}, at, false), ...row, persisted: true } : row;
}

function withClass(row: AddLeadResult, classes: ReadonlyMap<number, OutreachClass>): AddLeadResult {
  const dedup = classes.get(row.index);
  return dedup ? { ...row, dedup } : row;
}
