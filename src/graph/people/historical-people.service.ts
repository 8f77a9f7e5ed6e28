import { Injectable } from '@nestjs/common';
import { projectClaim } from '#domain/claims/fold.js';
import type { ClaimRules } from '#domain/claims/rules.js';
import type { Filter } from '#domain/filters/filter.js';
import { type Activity, computeActivity } from '#domain/observation/interaction-events.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { StoredClaim } from '../claims/claims.queries.js';
import { groupStatementsByClaim, ClaimsService } from '../claims/claims.service.js';
import { pickImmutableConditions, type PointInTime, readsMutableFields } from '../lists/as-of.js';
import type { ListFields, ListRequest } from '../lists/list-request.js';
import { type ListSource, readMatchingEntities } from '../lists/page.queries.js';
import type { PastClaim, PastTables } from '../lists/past-tables.js';
import { readPage, type RowPage } from '../lists/row-page.js';
import { readStatementHistory } from '../score/evidence.queries.js';
import type { PersonClaim } from './people.queries.js';
import type { HistoricalFacts } from './person-reader.js';

/** Maximum number of entities whose past claims one list derives: about a third of a second of work. */
export const MAX_PAST_CANDIDATES = 1_000;

/** A page of a list, and the facts of its rows. */
export interface PastPage extends RowPage {
  /** Reads the past facts of entities of the page; undefined: the list shows today. */
  readonly readFacts: ((ids: readonly string[]) => Promise<HistoricalFacts>) | undefined;
}

/** What is derived from the log about entities as of a time. */
interface DerivedPast {
  readonly facts: HistoricalFacts;
  readonly tables: PastTables;
}

/** Reads lists and matches filters of people, companies and leads as of a past time, with claims folded again from the log. */
@Injectable()
export class HistoricalPeopleService {
  constructor(private readonly claims: ClaimsService) {}

  /**
   * Reads a page of a list, today's or a past one. If properties filter or sort a past list, the claims of all entities
   * that the other conditions select are derived first; else only those of the page are.
   * @throws HubError as {@link readPage}; `invalid_request` naming `as_of` if there are too many candidates
   */
  async readPage(tx: Tx, source: ListSource, listFields: ListFields, request: ListRequest): Promise<PastPage> {
    const { past, filter, sort } = request;
    if (!past || !readsMutableFields(filter, sort)) {
      const readFacts = past && ((ids: readonly string[]) => this.read(tx, ids, past));
      return { ...(await readPage(tx, source, listFields, request)), readFacts };
    }
    const narrowing = 'Narrow the list by account, list_id, email, id or created_at.';
    const { facts, tables } = await this.derive(tx, await readCandidates(tx, source, filter, narrowing), past);
    const page = await readPage(tx, { ...source, past: tables }, listFields, request);
    return { ...page, readFacts: async () => facts };
  }

  /**
   * Returns the canonical IDs of the entities that match a filter as of a time, in no order.
   * @param narrowing sentence about how a caller selects fewer candidates
   * @throws HubError `invalid_request` naming `as_of` if there are too many candidates
   */
  async readMatching(
    tx: Tx,
    source: ListSource,
    filter: Filter,
    past: PointInTime,
    narrowing: string,
  ): Promise<string[]> {
    const { tables } = await this.derive(tx, await readCandidates(tx, source, filter, narrowing), past);
    const selection = { filter, sort: [], now: tables.now };
    return readMatchingEntities(tx, { ...source, past: tables }, selection, MAX_PAST_CANDIDATES);
  }

  /** Returns facts of entities as of a time, by canonical ID. One statement. Uses the merges of today. */
  async read(tx: Tx, ids: readonly string[], past: PointInTime): Promise<HistoricalFacts> {
    return (await this.derive(tx, ids, past)).facts;
  }

  private async derive(tx: Tx, ids: readonly string[], { asOf, knownAt }: PointInTime): Promise<DerivedPast> {
    const now = await tx.now();
    const rules = this.claims.rulesOf(tx.workspace);
    const horizon = { asOf: asOf ?? now, knownAt: knownAt ?? now };
    const log = ids.length === 0 ? [] : await readStatementHistory(tx, ids, null, horizon);
    const folded = await this.claims.rebuild(tx.workspace, groupStatementsByClaim(log), horizon.asOf);
    const claims = folded.flatMap(claim => toPastClaims(rules, claim));
    const names = this.claims.deriveNames(folded, [], horizon.asOf);
    const events = Map.groupBy(log, row => row.clusterId);
    const activities = new Map(ids.map(id => [id, computeActivity(events.get(id) ?? [], horizon.asOf)]));
    const facts = {
      now: horizon.asOf,
      knownAt,
      claims: claims.map(toPersonClaim),
      hasInbound: (id: string) => (activities.get(id)?.lastInbound ?? null) !== null,
      entityOf: (id: string) => {
        const { first, last } = activities.get(id) ?? NO_ACTIVITY;
        return { name: names.get(id) ?? null, first_activity_at: first, last_activity_at: last };
      },
    };
    const entities = [...activities].map(([id, { first, last, lastInbound }]) => ({
      id,
      name: names.get(id) ?? null,
      firstActivityAt: first,
      lastActivityAt: last,
      lastInboundActivityAt: lastInbound,
    }));
    return { facts, tables: { now: horizon.asOf, claims, entities } };
  }
}

const NO_ACTIVITY: Activity = { first: null, last: null, lastInbound: null };

/** Returns the entities that the conditions select which do not change over time. */
async function readCandidates(tx: Tx, source: ListSource, filter: Filter, narrowing: string): Promise<string[]> {
  const selection = { filter: pickImmutableConditions(filter), sort: [], now: await tx.now() };
  const ids = await readMatchingEntities(tx, source, selection, MAX_PAST_CANDIDATES + 1);
  if (ids.length <= MAX_PAST_CANDIDATES) return ids;
  const message =
    `as_of and known_at derive the facts of at most ${MAX_PAST_CANDIDATES} entities to filter or sort by properties, ` +
    `and more match the other conditions. ${narrowing}`;
  throw HubError.invalidRequest([{ field: 'as_of', message }]);
}

function toPastClaims(rules: ClaimRules, { entityId, property, state }: StoredClaim): PastClaim[] {
  const projection = projectClaim(rules, property, state);
  return projection ? [{ entityId, property, ...projection }] : [];
}

function toPersonClaim(claim: PastClaim): PersonClaim {
  const { entityId, property, value, confidence, epistemicClass, supportedAt, tenure } = claim;
  const times = { supported_at: supportedAt, updated_at: supportedAt, tenure };
  return { entity_id: entityId, property, value, confidence, epistemic_class: epistemicClass, ...times };
}
