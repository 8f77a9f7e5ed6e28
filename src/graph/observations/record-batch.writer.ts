import { Injectable } from '@nestjs/common';
import { findStatedName } from '#domain/identity/names.js';
import { listTouchedProperties } from '#domain/claims/implied-statements.js';
import type { BatchOutcome } from '#kernel/db/batcher.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { saveResponses, type KeyState, lookUpKeys } from '#kernel/idempotency/idempotency-store.js';
import { ProfileCache } from '../facts/facts.caches.js';
import { IdentityService, type ResolvedEntity } from '../identity/identity.service.js';
import { findReservedSource } from './author.js';
import { CorrectionsService } from './corrections.service.js';
import { ObservationAppender, type AppendedBatch, type DerivedWrites } from './observation-appender.js';
import { findLoggedObservations, type KnownObservation, type NewObservation } from './observations.queries.js';
import {
  type RecordEntry,
  type RecordCall,
  isDuplicate,
  type ReconciledCall,
  toEntityReference,
} from './record-call.js';
import type { RecordConflict, RecordResponse } from './observations.presenter.js';
import { IdentifierConflictsService, type ReconciledEntity } from './identifier-conflicts.service.js';

type RecordOutcome = BatchOutcome<HandlerResponse<RecordResponse>>;

/** Writes a batch of record calls in one transaction, with a fixed number of statements. */
@Injectable()
export class RecordBatchWriter {
  constructor(
    private readonly identity: IdentityService,
    private readonly conflicts: IdentifierConflictsService,
    private readonly appender: ObservationAppender,
    private readonly corrections: CorrectionsService,
    private readonly profiles: ProfileCache,
  ) {}

  /**
   * Writes the calls and returns their outcomes, in order.
   * @param derivedWrites derives further observations from the batch, which are written with it.
   */
  async write(tx: Tx, calls: readonly RecordCall[], derivedWrites?: DerivedWrites): Promise<RecordOutcome[]> {
    const replays = await this.readReplays(tx, calls);
    const outcomes = new Map(calls.map(call => [call, toRecordOutcome(replays.get(call)!)]));
    const open = calls.filter(call => {
      if (replays.get(call) !== 'new') return false;
      const error = findReservedSource(call.request);
      if (error) outcomes.set(call, { error });
      return !error;
    });
    if (open.length > 0)
      for (const [call, outcome] of await this.writeNew(tx, open, derivedWrites)) outcomes.set(call, outcome);
    return calls.map(call => outcomes.get(call)!);
  }

  private async readReplays(tx: Tx, calls: readonly RecordCall[]): Promise<Map<RecordCall, KeyState>> {
    const keyed = calls.filter(call => call.idempotencyKey !== undefined);
    const states = await lookUpKeys(
      tx,
      keyed.map(call => call.idempotencyKey!),
    );
    const byCall = new Map<RecordCall, KeyState>(calls.map(call => [call, 'new']));
    keyed.forEach((call, i) => byCall.set(call, states[i]!));
    return byCall;
  }

  private async writeNew(
    tx: Tx,
    calls: readonly RecordCall[],
    derivedWrites: DerivedWrites | undefined,
  ): Promise<Map<RecordCall, RecordOutcome>> {
    const { entries, added, derived, refused } = await this.append(tx, calls, derivedWrites);
    const known = await this.findLoggedRows(tx, entries, added);
    const all = [...entries, ...derived];
    const outcomes = new Map<RecordCall, RecordOutcome>(
      all.map(entry => [entry.call, { result: toRecordResponse(entry, added, known) }]),
    );
    for (const call of calls)
      if (!outcomes.has(call)) outcomes.set(call, { error: refused.get(call) ?? HubError.entityNotFound() });
    this.emitEvents(tx, all, outcomes, added);
    return outcomes;
  }

  private async append(
    tx: Tx,
    calls: readonly RecordCall[],
    derivedWrites: DerivedWrites | undefined,
  ): Promise<AppendedBatch & { readonly refused: ReadonlyMap<RecordCall, HubError> }> {
    const resolved = await this.resolveEntities(tx, calls);
    const refused = new Map(
      resolved.flatMap((entity, i) => (entity instanceof HubError ? [[calls[i]!, entity] as const] : [])),
    );
    const entities = await this.conflicts.resolve(
      tx,
      resolved.map(entity => (entity instanceof HubError ? undefined : entity)),
      calls.map(({ request }) => findStatedName(request.observations)),
    );
    const reconciled = await this.corrections.mark(tx, toReconciledCalls(calls, entities));
    const batch = await this.appender.write(tx, reconciled, derivedWrites);
    return { ...batch, refused };
  }

  /** Resolves the entities of these calls, except those that the caller has already resolved. */
  private async resolveEntities(
    tx: Tx,
    calls: readonly RecordCall[],
  ): Promise<(ResolvedEntity | HubError | undefined)[]> {
    const open = calls.filter(({ entity }) => entity === undefined);
    const { phoneCountry } = this.profiles.get(tx.workspace);
    const resolved = await this.identity.resolveOrCreate(
      tx,
      open.map(call => toEntityReference(call, phoneCountry)),
    );
    const byCall = new Map(open.map((call, i) => [call, resolved[i]]));
    return calls.map(call => call.entity ?? byCall.get(call));
  }

  /** Reads the logged rows that prevented an insert, by the id of the new row. */
  private async findLoggedRows(
    tx: Tx,
    entries: readonly RecordEntry[],
    added: ReadonlySet<string>,
  ): Promise<LoggedRows> {
    const skipped = entries.flatMap(entry => entry.rows).filter(row => !added.has(row.id));
    const known = skipped.length === 0 ? [] : await findLoggedObservations(tx, skipped);
    return new Map(skipped.map((row, i) => [row.id, known[i]]));
  }

  private emitEvents(
    tx: Tx,
    entries: readonly RecordEntry[],
    outcomes: ReadonlyMap<RecordCall, RecordOutcome>,
    added: ReadonlySet<string>,
  ): void {
    const results: Parameters<typeof saveResponses>[1][number][] = [];
    for (const { call, rows } of entries) {
      const outcome = outcomes.get(call)!;
      if (!('result' in outcome)) continue;
      const { entity_id, entity_created, claims_recomputed, observation_ids } = outcome.result.body;
      if (observation_ids.length > 0) {
        const properties = listAddedProperties(rows, added);
        const payload = { entity_id, entity_created, observation_ids, properties, claims_recomputed };
        tx.emit({ type: 'observation.recorded', payload });
      }
      if (call.idempotencyKey) results.push({ key: call.idempotencyKey, response: outcome.result });
    }
    saveResponses(tx, results);
  }
}

function toRecordOutcome(state: KeyState): RecordOutcome {
  if (state instanceof HandlerResponse) return { result: state as HandlerResponse<RecordResponse> };
  return { error: state };
}

/** Returns the calls with a resolved entity, each with the index of its first observation in the batch. */
function toReconciledCalls(
  calls: readonly RecordCall[],
  entities: readonly (ReconciledEntity | undefined)[],
): ReconciledCall[] {
  let next = 0;
  return calls.flatMap((call, i) => {
    const offset = next;
    next += call.request.observations.length;
    const entity = entities[i];
    return entity ? [{ call, entity, observations: call.request.observations, offset }] : [];
  });
}

function listAddedProperties(rows: readonly NewObservation[], added: ReadonlySet<string>): string[] {
  return [...new Set(rows.filter(row => added.has(row.id)).map(row => row.property))].toSorted();
}

type LoggedRows = ReadonlyMap<string, KnownObservation | undefined>;

function toRecordResponse(
  entry: RecordEntry,
  added: ReadonlySet<string>,
  known: LoggedRows,
): HandlerResponse<RecordResponse> {
  const { call, entity, rows } = entry;
  const appended = rows.filter(row => added.has(row.id));
  const conflicts: RecordConflict[] = rows.flatMap((row, index) => {
    const existing = known.get(row.id);
    if (!existing || isDuplicate(call.request.observations[index]!, row, existing)) return [];
    return [{ index, external_id: row.externalId!, existing_id: existing.id }];
  });
  return new HandlerResponse(
    {
      entity_id: entity.canonicalId,
      recorded: appended.length,
      claims_recomputed: listTouchedProperties(appended),
      duplicates: rows.length - appended.length - conflicts.length,
      conflicts,
      observation_ids: appended.map(row => row.id),
      entity_created: entity.created,
      ...(entity.merge && { merge: entity.merge }),
    },
    200,
  );
}
