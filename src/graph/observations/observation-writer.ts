import { Injectable } from '@nestjs/common';
import { touchedProperties } from '#domain/claims/from-events.js';
import type { Outcome } from '#kernel/db/coalescer.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/errors.js';
import { Answered } from '#kernel/idempotency/answered.js';
import { keepAnswers, type Standing, standingOf } from '#kernel/idempotency/kept-answers.js';
import { ClustersMoved } from '../identity/clusters-moved.js';
import { IdentityService, type LookedUp, type ResolvedEntity, type Subject } from '../identity/identity.service.js';
import { LogWriter, type Written } from './log-writer.js';
import { meet, type Met } from './meeting.queries.js';
import { findKnown, type KnownObservation, type NewObservation } from './observations.queries.js';
import { type Entry, type RecordCall, repeats, type SettledCall, subjectOf } from './record-call.js';
import type { RecordConflict, Recorded } from './recorded.js';
import { RivalsService, type SettledEntity } from './rivals.service.js';
import type { Sequel } from './sequel.js';
import { wantedBy } from './wanted.js';

type RecordOutcome = Outcome<Answered<Recorded>>;

/** Writes a batch of record calls in one transaction, with a handful of statements however many there are. */
@Injectable()
export class ObservationWriter {
  constructor(
    private readonly identity: IdentityService,
    private readonly rivals: RivalsService,
    private readonly log: LogWriter,
  ) {}

  /**
   * The outcome of each call, in their order.
   * @param sequel what follows from them, and is recorded with them.
   */
  async write(tx: Tx, calls: readonly RecordCall[], sequel?: Sequel): Promise<RecordOutcome[]> {
    const standings = await this.standingsOf(tx, calls);
    const open = calls.filter(call => standings.get(call) === 'new');
    const outcomes = new Map(calls.map(call => [call, outcomeOf(standings.get(call)!)]));
    if (open.length > 0)
      for (const [call, outcome] of await this.writeNew(tx, open, sequel)) outcomes.set(call, outcome);
    return calls.map(call => outcomes.get(call)!);
  }

  private async standingsOf(tx: Tx, calls: readonly RecordCall[]): Promise<Map<RecordCall, Standing>> {
    const keyed = calls.filter(call => call.idempotencyKey !== undefined);
    const standings = await standingOf(
      tx,
      keyed.map(call => call.idempotencyKey!),
    );
    const byCall = new Map<RecordCall, Standing>(calls.map(call => [call, 'new']));
    keyed.forEach((call, i) => byCall.set(call, standings[i]!));
    return byCall;
  }

  private async writeNew(
    tx: Tx,
    calls: readonly RecordCall[],
    sequel: Sequel | undefined,
  ): Promise<Map<RecordCall, RecordOutcome>> {
    const { entries, added, following } = await this.append(tx, calls, sequel);
    const known = await this.knownOf(tx, entries, added);
    const all = [...entries, ...following];
    const outcomes = new Map<RecordCall, RecordOutcome>(
      all.map(entry => [entry.call, { answer: answerOf(entry, added, known) }]),
    );
    for (const call of calls) if (!outcomes.has(call)) outcomes.set(call, { error: HubError.entityNotFound() });
    this.announce(tx, all, outcomes, added);
    return outcomes;
  }

  /** What is remembered of entities that have moved meanwhile must not be found again when the transaction is rerun. */
  private async append(tx: Tx, calls: readonly RecordCall[], sequel: Sequel | undefined): Promise<Written> {
    try {
      const subjects = calls.map(call => this.recalled(tx.workspace, call));
      const met = sequel || subjects.every(({ owners }) => owners) ? undefined : await this.met(tx, calls);
      const entities = await this.rivals.settle(tx, await this.resolved(tx, calls, subjects, met?.owners));
      return await this.log.write(tx, settled(calls, entities), sequel, met?.locked);
    } catch (error) {
      if (error instanceof ClustersMoved)
        this.identity.forget(
          tx.workspace,
          calls.map(({ request }) => request.focus),
        );
      throw error;
    }
  }

  /** Those whom calls are about, locked with their claims; undefined where some cannot be. */
  private async met(tx: Tx, calls: readonly RecordCall[]): Promise<Met | undefined> {
    const wanted = wantedBy(calls);
    return wanted && meet(tx, wanted);
  }

  /** The entities that calls are about; those of whom the caller has not found or made them already are now. */
  private async resolved(
    tx: Tx,
    calls: readonly RecordCall[],
    subjects: readonly Subject[],
    met: LookedUp | undefined,
  ): Promise<(ResolvedEntity | undefined)[]> {
    const open = subjects.filter((_, i) => calls[i]!.entity === undefined);
    const found = await this.identity.resolveOrCreate(tx, met ? open.map(each => ({ ...each, owners: met })) : open);
    const bySubject = new Map(open.map((subject, i) => [subject, found[i]]));
    return calls.map((call, i) => call.entity ?? bySubject.get(subjects[i]!));
  }

  /** Whom a call is about, as remembered: a call that says something is checked behind the locks. */
  private recalled(workspace: string, call: RecordCall): Subject {
    const subject = subjectOf(call);
    if (subject.owners || call.request.observations.length === 0) return subject;
    return { ...subject, owners: this.identity.recall(workspace, subject.focus) };
  }

  /** The logged rows behind what was not appended, by the id that the new row would have had. */
  private async knownOf(tx: Tx, entries: readonly Entry[], added: ReadonlySet<string>): Promise<Known> {
    const left = entries.flatMap(entry => entry.rows).filter(row => !added.has(row.id));
    const known = left.length === 0 ? [] : await findKnown(tx, left);
    return new Map(left.map((row, i) => [row.id, known[i]]));
  }

  private announce(
    tx: Tx,
    entries: readonly Entry[],
    outcomes: ReadonlyMap<RecordCall, RecordOutcome>,
    added: ReadonlySet<string>,
  ): void {
    const kept: Parameters<typeof keepAnswers>[1][number][] = [];
    for (const { call, rows } of entries) {
      const outcome = outcomes.get(call)!;
      if (!('answer' in outcome)) continue;
      const { entity_id, entity_created, claims_recomputed, observation_ids } = outcome.answer.body;
      if (observation_ids.length > 0) {
        const properties = propertiesOf(rows, added);
        const payload = { entity_id, entity_created, observation_ids, properties, claims_recomputed };
        tx.emit({ type: 'observation.recorded', payload });
      }
      if (call.idempotencyKey) kept.push({ key: call.idempotencyKey, answer: outcome.answer });
    }
    keepAnswers(tx, kept);
  }
}

function outcomeOf(standing: Standing): RecordOutcome {
  if (standing instanceof Answered) return { answer: standing as Answered<Recorded> };
  return { error: standing };
}

/** The calls whose entity is known, each with the place of its first observation in the batch. */
function settled(calls: readonly RecordCall[], entities: readonly (SettledEntity | undefined)[]): SettledCall[] {
  let next = 0;
  return calls.flatMap((call, i) => {
    const place = next;
    next += call.request.observations.length;
    const entity = entities[i];
    return entity ? [{ call, entity, place }] : [];
  });
}

function propertiesOf(rows: readonly NewObservation[], added: ReadonlySet<string>): string[] {
  return [...new Set(rows.filter(row => added.has(row.id)).map(row => row.property))].toSorted();
}

type Known = ReadonlyMap<string, KnownObservation | undefined>;

function answerOf(entry: Entry, added: ReadonlySet<string>, known: Known): Answered<Recorded> {
  const { call, entity, rows } = entry;
  const appended = rows.filter(row => added.has(row.id));
  const conflicts: RecordConflict[] = rows.flatMap((row, index) => {
    const existing = known.get(row.id);
    if (!existing || repeats(call.request.observations[index]!, row, existing)) return [];
    return [{ index, external_id: row.externalId!, existing_id: existing.id }];
  });
  return new Answered(
    {
      entity_id: entity.canonicalId,
      recorded: appended.length,
      claims_recomputed: touchedProperties(appended),
      duplicates: rows.length - appended.length - conflicts.length,
      conflicts,
      observation_ids: appended.map(row => row.id),
      entity_created: entity.created,
      ...(entity.merge && { merge: entity.merge }),
    },
    200,
  );
}
