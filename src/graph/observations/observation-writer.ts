import { Injectable } from '@nestjs/common';
import { touchedProperties } from '#domain/claims/from-events.js';
import { type Activity, activityOf } from '#domain/observation/activity.js';
import { MAX_BATCH } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import type { Outcome } from '#kernel/db/coalescer.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/errors.js';
import { Answered } from '#kernel/idempotency/answered.js';
import { keepAnswers, type Standing, standingOf } from '#kernel/idempotency/kept-answers.js';
import type { KeptClaim } from '../claims/claims.queries.js';
import { ClaimsService } from '../claims/claims.service.js';
import { IdentityService, type ResolvedEntity } from '../identity/identity.service.js';
import { additionsOf, claimKeysOf } from './claim-additions.js';
import { HistoryService } from './history.service.js';
import {
  append,
  appendWithCommit,
  findKnown,
  type KnownObservation,
  type NewObservation,
} from './observations.queries.js';
import { type Entry, entryOf, type RecordCall, repeats, subjectOf } from './record-call.js';
import type { RecordConflict, Recorded } from './recorded.js';
import { RivalsService } from './rivals.service.js';
import { followingOf, keysOf, readWith, type Sequel, withStatements } from './sequel.js';

type RecordOutcome = Outcome<Answered<Recorded>>;

/** Writes a batch of record calls in one transaction, with a handful of statements however many there are. */
@Injectable()
export class ObservationWriter {
  constructor(
    private readonly identity: IdentityService,
    private readonly claims: ClaimsService,
    private readonly history: HistoryService,
    private readonly rivals: RivalsService,
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
    const [now, found] = await Promise.all([tx.now(), this.resolved(tx, calls)]);
    const entities = await this.rivals.settle(tx, found);
    const entries: Entry[] = [];
    let place = 0;
    calls.forEach((call, i) => {
      const entity = entities[i];
      if (entity) entries.push(entryOf(call, entity, now, place));
      place += call.request.observations.length;
    });
    const { added, following } = await this.appendAndFold(tx, entries, sequel);
    const known = await this.knownOf(tx, entries, added);
    const all = [...entries, ...following];
    const outcomes = new Map<RecordCall, RecordOutcome>(
      all.map(entry => [entry.call, { answer: answerOf(entry, added, known) }]),
    );
    for (const call of calls) if (!outcomes.has(call)) outcomes.set(call, { error: HubError.entityNotFound() });
    this.announce(tx, all, outcomes, added);
    return outcomes;
  }

  /** The entities that calls are about; those of whom the caller has not found or made them already are now. */
  private async resolved(tx: Tx, calls: readonly RecordCall[]): Promise<(ResolvedEntity | undefined)[]> {
    const open = calls.filter(call => call.entity === undefined);
    const found = await this.identity.resolveOrCreate(tx, open.map(subjectOf));
    const byCall = new Map(open.map((call, i) => [call, found[i]]));
    return calls.map(call => call.entity ?? byCall.get(call));
  }

  /** A call that began earlier may come later: what counts by now is told by the clock behind the locks, not at BEGIN. */
  private async appendAndFold(tx: Tx, entries: readonly Entry[], sequel: Sequel | undefined): Promise<Written> {
    const rows = entries.flatMap(entry => [...entry.rows, ...entry.derived]);
    const owners = entries.map(({ entity }) => entity);
    if (rows.length === 0 && !(sequel && owners.length > 0)) return { added: new Set(), following: [] };
    const stated = additionsOf(rows);
    const keys = [...claimKeysOf(stated), ...keysOf(sequel, owners)];
    const [{ ids, at }, kept] = await Promise.all([
      append(tx, rows, owners),
      readWith(tx, sequel, owners, one => this.claims.statesOf(one, keys, owners)),
    ]);
    const horizon = at + MAX_BATCH;
    const appended = rows.filter(row => ids.has(row.id));
    const additions = appended.length === rows.length ? stated : additionsOf(appended);
    const folded = await this.claims.derive(tx, additions, kept, horizon, late => this.history.additionsTo(tx, late));
    const following = sequel ? await followingOf(tx, await sequel.conclude(tx, folded)) : [];
    const last = await this.appendLast(tx, following, kept, horizon);
    this.claims.keep(tx, [...folded, ...last]);
    const names = this.claims.namesAmong(folded, kept, horizon);
    const activity = activityByCluster(appended, horizon);
    this.identity.keepChanges(tx, { names, activity, companies: companiesOf(entries) });
    return { added: ids.union(new Set(following.flatMap(entry => entry.rows.map(row => row.id)))), following };
  }

  /** Appends what nobody waits for and folds it. It is not in the log yet when a history is read. */
  private async appendLast(tx: Tx, entries: readonly Entry[], kept: readonly KeptClaim[], horizon: Instant) {
    const rows = entries.flatMap(entry => entry.rows);
    if (rows.length === 0) return [];
    appendWithCommit(tx, rows);
    const additions = additionsOf(rows);
    return this.claims.derive(tx, additions, kept, horizon, async late =>
      withStatements(late, await this.history.additionsTo(tx, late), additions),
    );
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

/** What has been appended, and what a sequel has added to it. */
interface Written {
  readonly added: ReadonlySet<string>;
  readonly following: readonly Entry[];
}

function outcomeOf(standing: Standing): RecordOutcome {
  if (standing instanceof Answered) return { answer: standing as Answered<Recorded> };
  return { error: standing };
}

function companiesOf(entries: readonly Entry[]): Map<string, string> {
  return new Map(entries.flatMap(({ entity }) => (entity.employer ? [[entity.canonicalId, entity.employer.id]] : [])));
}

function activityByCluster(rows: readonly NewObservation[], now: Instant): Map<string, Activity> {
  const events = Map.groupBy(
    rows.filter(row => row.kind === 'event'),
    row => row.clusterId,
  );
  return new Map([...events].map(([clusterId, own]) => [clusterId, activityOf(own, now)]));
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
