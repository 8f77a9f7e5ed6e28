import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/actor/actor.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { recordAct } from '#kernel/audit/audit-log.js';
import type { Tx } from '#kernel/db/transaction.js';
import { runMaybeDry, UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import { newId } from '#kernel/ids.js';
import { deleteTerms } from '../notes/note-index.queries.js';
import { EntityRetractor } from './entity-retractor.js';
import {
  decodeRetractionCursor,
  encodeRetractionCursor,
  firstPosition,
  nextPosition,
  type RetractionPosition,
} from './retraction-cursor.js';
import { requireRetractableSource, type RetractInput, type RetractOneInput } from './retraction-request.js';
import type { RetractionList, RetractionResponse } from './retractions.presenter.js';
import {
  deleteEmptyLists,
  deleteLeads,
  listRetractions,
  type RetractableRow,
  readRetractable,
  readRetractableById,
  readRetractableLeads,
  readRetractableNotes,
  retractDerived,
  retractNotes,
  retractObservations,
  saveRetraction,
  withdrawEarlier,
} from './retractions.queries.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { validate as isUuid } from 'uuid';

/** What a page has retracted, and where the next one begins; null at the end. */
interface RetractedPage {
  readonly counts: Partial<Pick<RetractionResponse, 'observations' | 'notes' | 'leads' | 'entities_removed'>>;
  readonly next: RetractionPosition | null;
}

/** Withdraws what a source stated, page by page, as if it had never stated them. Nothing is deleted from the log. */
@Injectable()
export class RetractionsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entities: EntityRetractor,
  ) {}

  /**
   * Retracts the next page: first leads that nobody has worked, then notes, then observations, with the claims,
   * identifiers and merges that rest on them. Call it until there is no next page; a repetition finds nothing.
   * @throws HubError `cursor_mismatch`.
   */
  retract(
    workspace: string,
    actor: Actor,
    input: RetractInput,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<RetractionResponse>> {
    const { source, cursor, since } = input;
    const position = cursor === undefined ? firstPosition(newId(), since) : decodeRetractionCursor(cursor, source);
    return runMaybeDry(
      this.work,
      workspace,
      input.dryRun,
      tx => runOnce(tx, key, async () => new HandlerResponse(await this.retractPage(tx, actor, input, position), 200)),
      { mayChangeLog: true },
    );
  }

  /**
   * Retracts one observation, such as a correction that was a mistake: the claim returns to what it was.
   * @throws HubError `not_found` for an observation that does not exist or was retracted; `invalid_request` for one of the
   *   hub itself
   */
  retractOne(
    workspace: string,
    actor: Actor,
    { id, reason, dryRun }: RetractOneInput,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<RetractionResponse>> {
    if (!isUuid(id)) throw unknownObservationError();
    const retract = async (tx: Tx) => {
      const row = await readRetractableById(tx, id);
      if (!row) throw unknownObservationError();
      requireRetractableSource(row.source);
      const retractionId = newId();
      const counts = await this.withdraw(tx, retractionId, [row], row.recorded_at);
      if (counts.observations === 0) throw unknownObservationError();
      await saveRetraction(tx, { id: retractionId, source: row.source, reason, actor, observations: 1, notes: 0 });
      recordAct(tx, { action: 'observation.retract', objectId: retractionId });
      const result = { retraction_id: retractionId, source: row.source, ...counts, notes: 0, leads: 0 };
      return new HandlerResponse({ ...result, has_more: false, next_cursor: null, dry_run: dryRun }, 200);
    };
    return runMaybeDry(this.work, workspace, dryRun, tx => runOnce(tx, key, () => retract(tx)), { mayChangeLog: true });
  }

  /** Lists retractions, newest first. @throws HubError `cursor_mismatch`. */
  list(workspace: string, before: string | undefined, limit: number): Promise<RetractionList> {
    if (before !== undefined && !isUuid(before)) throw new HubError('cursor_mismatch');
    return this.work.run(workspace, async tx => {
      const rows = await listRetractions(tx, before ?? null, limit + 1);
      const retractions = rows.slice(0, limit).map(({ actor_kind: kind, actor_id: id, retracted_at, ...row }) => ({
        ...row,
        retracted_at: toIso(retracted_at),
        actor: { kind, id },
      }));
      const has_more = rows.length > limit;
      return { retractions, limit, has_more, next_cursor: has_more ? retractions.at(-1)!.id : null };
    });
  }

  private async retractPage(
    tx: Tx,
    actor: Actor,
    { source, reason, limit, dryRun }: RetractInput,
    position: RetractionPosition,
  ): Promise<RetractionResponse> {
    const { retractionId } = position;
    const { counts, next } = await this.runPhase(tx, source, position, limit, dryRun);
    const { observations = 0, notes = 0, leads = 0, entities_removed = 0 } = counts;
    if (observations + notes + leads > 0)
      await saveRetraction(tx, { id: retractionId, source, reason, actor, observations, notes });
    if (position.isFirst) {
      recordAct(tx, { action: 'observation.retract', objectId: retractionId });
    }
    return {
      retraction_id: retractionId,
      source,
      observations,
      notes,
      leads,
      entities_removed,
      has_more: next !== null,
      next_cursor: next === null ? null : encodeRetractionCursor(next, source),
      dry_run: dryRun,
    };
  }

  private async runPhase(
    tx: Tx,
    source: string,
    position: RetractionPosition,
    limit: number,
    isDryRun: boolean,
  ): Promise<RetractedPage> {
    const page = { after: position.after, limit };
    if (position.phase === 'leads') {
      const { rows, next } = await readRetractableLeads(tx, source, page);
      await deleteLeads(
        tx,
        rows.map(({ id }) => id),
      );
      if (next === null)
        for (const id of await deleteEmptyLists(tx, source))
          recordAct(tx, { action: 'lead_list.delete', objectId: id });
      return { counts: { leads: rows.length }, next: nextPosition(position, next, 'notes') };
    }
    if (position.phase === 'notes') {
      const { rows, next } = await readRetractableNotes(tx, source, page);
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) {
        await retractNotes(tx, position.retractionId, ids);
        const passages = rows.reduce((sum, row) => sum + row.passages, 0);
        await deleteTerms(tx, ids, passages);
      }
      return { counts: { notes: ids.length }, next: nextPosition(position, next, 'observations') };
    }
    return this.retractObservations(tx, source, position, page, isDryRun);
  }

  private async retractObservations(
    tx: Tx,
    source: string,
    position: RetractionPosition,
    page: { readonly after: string; readonly limit: number },
    isDryRun: boolean,
  ): Promise<RetractedPage> {
    const found = await readRetractable(tx, source, page);
    if (found.rows.length === 0) return { counts: {}, next: nextPosition(position, found.next, null) };
    const began = position.began ?? Math.min(...found.rows.map(row => row.recorded_at));
    const { retractionId, after } = position;
    const ids = [...new Set(found.rows.map(row => row.entity_id))];
    const earlier = isDryRun ? await withdrawEarlier(tx, retractionId, source, ids, after) : [];
    const counts = await this.withdraw(tx, retractionId, [...earlier, ...found.rows], began);
    return {
      counts: { ...counts, observations: counts.observations - earlier.length },
      next: nextPosition({ ...position, began }, found.next, null),
    };
  }

  /**
   * Marks observations as retracted, with what the hub derived from them, and folds the claims again.
   * @param began time of the first observation that the retraction withdraws.
   */
  private async withdraw(
    tx: Tx,
    retractionId: string,
    found: readonly RetractableRow[],
    began: Instant,
  ): Promise<Required<Pick<RetractedPage['counts'], 'observations' | 'entities_removed'>>> {
    const members = await this.entities.lock(
      tx,
      found.map(row => row.entity_id),
    );
    const known = found.filter(row => members.has(row.entity_id));
    // A transaction that was waited for may have retracted some of them.
    const retracted = await retractObservations(
      tx,
      retractionId,
      known.map(({ id }) => id),
    );
    const rows = known.filter(({ id }) => retracted.has(id));
    const rescored = await retractDerived(tx, retractionId, rows, began);
    const removed = await this.entities.retract(tx, { retractionId, rows, members, began, rescored });
    return { observations: rows.length, entities_removed: removed };
  }
}

function unknownObservationError(): HubError {
  return new HubError('not_found', {
    detail: 'The workspace has no such observation, or it was retracted before. Timelines and claims have their IDs.',
  });
}
