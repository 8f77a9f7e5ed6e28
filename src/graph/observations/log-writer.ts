import { Injectable } from '@nestjs/common';
import { type Activity, activityOf } from '#domain/observation/activity.js';
import { MAX_BATCH } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { ITEM_UNITS, mapYielding } from '#kernel/scheduling/yield.js';
import type { ClaimKey, KeptClaim } from '../claims/claims.queries.js';
import { type Addition, ClaimsService } from '../claims/claims.service.js';
import { lockEntities } from '../identity/entity-locks.js';
import { IdentityService } from '../identity/identity.service.js';
import { additionsOf, claimKeysOf } from './claim-additions.js';
import { HistoryService } from './history.service.js';
import type { Locked } from './meeting.queries.js';
import { append, appendAhead, appendWithCommit, type NewObservation } from './observations.queries.js';
import { bearsExternalId, employerStatement, type Entry, entryOf, type SettledCall } from './record-call.js';
import { followingOf, keysOf, readWith, type Sequel, withStatements } from './sequel.js';

/** What has been written, and what a sequel has added to it. */
export interface Written {
  readonly entries: readonly Entry[];
  /** The ids of the rows that were new. */
  readonly added: ReadonlySet<string>;
  readonly following: readonly Entry[];
}

/** The rows of a batch beside what is kept of its claims, once nobody else can write about its entities. */
interface Logged {
  readonly entries: readonly Entry[];
  /** The rows that are new. */
  readonly added: readonly NewObservation[];
  /** Those of them that are not in the log yet. */
  readonly pending: readonly NewObservation[];
  /** When the entities had been locked. */
  readonly at: Instant;
  readonly kept: readonly KeptClaim[];
}

/** Appends a batch to the log, folds it into the claims and keeps what it changes about the entities. */
@Injectable()
export class LogWriter {
  constructor(
    private readonly identity: IdentityService,
    private readonly claims: ClaimsService,
    private readonly history: HistoryService,
  ) {}

  /**
   * Writes what these calls say, folds it and keeps the claims, with a handful of statements. A call that began earlier
   * may come later: what counts by now is told by the clock behind the locks, not at BEGIN.
   * @param sequel what follows from the batch, and is recorded with it.
   * @param met what is kept of the entities, where the caller has locked all of them.
   * @throws ClustersMoved when an entity was merged or unmerged since it was found.
   */
  async write(tx: Tx, calls: readonly SettledCall[], sequel: Sequel | undefined, met?: Locked): Promise<Written> {
    if (calls.length === 0 || (!sequel && calls.every(({ call }) => call.request.observations.length === 0)))
      return { entries: await entriesOf(calls, await tx.now()), added: new Set(), following: [] };
    const { entries, added, pending, at, kept } = await this.logged(tx, calls, sequel, met);
    const horizon = at + MAX_BATCH;
    const derive = (rows: readonly NewObservation[], unlogged: readonly NewObservation[]) =>
      this.claims.derive(tx, additionsOf(rows), kept, horizon, late => this.historyOf(tx, late, unlogged));

    // What a sequel adds is written in one statement with the rest.
    const unlogged = sequel ? pending : [];
    if (!sequel) await appendAhead(tx, pending);
    const folded = await derive(added, unlogged);
    const following = sequel ? await followingOf(tx, await sequel.conclude(tx, folded)) : [];
    const last = following.flatMap(entry => entry.rows);
    const concluded = last.length > 0 ? await derive(last, [...unlogged, ...last]) : [];
    await appendWithCommit(tx, [...unlogged, ...last]);

    await this.claims.keep(tx, [...folded, ...concluded]);
    const names = this.claims.namesAmong(folded, kept, horizon);
    const activity = activityByCluster(added, horizon);
    this.identity.keepChanges(tx, { names, activity, companies: companiesOf(entries) });
    return { entries, added: new Set([...added, ...last].map(row => row.id)), following };
  }

  /**
   * Where no row bears an external id all of them are new. Then nobody waits for them: they are written while they are
   * folded, and locks and claims leave together with BEGIN if everybody is remembered. Where somebody was made just now
   * they are appended by the statement that locks, and of them no claims are read: nobody else can see them yet.
   */
  private async logged(
    tx: Tx,
    calls: readonly SettledCall[],
    sequel: Sequel | undefined,
    met: Locked | undefined,
  ): Promise<Logged> {
    const made = madeWith(calls);
    const owners = calls.map(({ entity }) => entity);
    const read = async () => met?.kept ?? this.statesOf(tx, calls, sequel, made);
    if (made.size === 0 && !calls.some(bearsExternalId)) {
      const clusters = owners.map(({ canonicalId }) => canonicalId);
      const [now, at, kept] = await Promise.all([tx.now(), met?.at ?? lockEntities(tx, clusters), read()]);
      const entries = await entriesOf(calls, now);
      const added = entries.flatMap(entry => entry.rows);
      return { entries, added, pending: added, at, kept };
    }
    const entries = await entriesOf(calls, await tx.now());
    const rows = entries.flatMap(entry => [...entry.rows, ...entry.derived]);
    const [{ ids, at }, kept] = await Promise.all([append(tx, rows, met ? [] : owners), read()]);
    return { entries, added: rows.filter(row => ids.has(row.id)), pending: [], at, kept };
  }

  /** What is kept of the claims that the calls may touch, and what a sequel needs. */
  private async statesOf(
    tx: Tx,
    calls: readonly SettledCall[],
    sequel: Sequel | undefined,
    made: ReadonlySet<string>,
  ): Promise<KeptClaim[]> {
    const known = calls.filter(({ entity }) => !made.has(entity.id));
    if (known.length === 0 && !sequel) return [];
    const owners = calls.map(({ entity }) => entity);
    const keys = [...claimKeysOf(known.map(saidOf)), ...keysOf(sequel, owners)];
    return readWith(tx, sequel, owners, one => this.claims.statesOf(one, keys, owners));
  }

  /** Whole histories, of which the log does not hold the `unlogged` rows yet. */
  private async historyOf(tx: Tx, keys: readonly ClaimKey[], unlogged: readonly NewObservation[]): Promise<Addition[]> {
    return withStatements(keys, await this.history.additionsTo(tx, keys), additionsOf(unlogged));
  }
}

function entriesOf(calls: readonly SettledCall[], receivedAt: Instant): Promise<Entry[]> {
  return mapYielding(
    calls,
    ({ call, entity, place }) => entryOf(call, entity, receivedAt, place),
    ({ call }) => call.request.observations.length * ITEM_UNITS,
  );
}

/** The ids of those whom the transaction has made, unless it has merged somebody with one of them. */
function madeWith(calls: readonly SettledCall[]): ReadonlySet<string> {
  if (calls.some(({ entity }) => entity.merge)) return new Set();
  return new Set(calls.flatMap(({ entity }) => (entity.created ? [entity.id] : [])));
}

/** What a call says about its entity, and what the hub adds to it. */
function saidOf({ call, entity }: SettledCall) {
  const { canonicalId: entityId, employer } = entity;
  const { observations } = call.request;
  return { entityId, said: employer ? [...observations, employerStatement(employer.domain)] : observations };
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
