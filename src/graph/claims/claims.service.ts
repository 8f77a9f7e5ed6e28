import { Injectable } from '@nestjs/common';
import { defaultRules, type ClaimRules } from '#domain/claims/rules.js';
import { appendStatement, foldAll } from '#domain/claims/fold.js';
import { toClaim } from '#domain/claims/present-claim.js';
import { emptyState, type PropertyState, type Statement } from '#domain/claims/property-state.js';
import {
  ADDRESS_STATUS_PROPERTY,
  LINKED_PROPERTIES,
  ADDRESS_PROPERTY,
  linkAddressStates,
} from '#domain/claims/address-status.js';
import { composeName } from '#domain/identity/names.js';
import { eventsImplying, impliedBy, statesLifting, toStatements } from '#domain/claims/implied-statements.js';
import type { ObservationDraft, StoredObservation } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { ITEM_UNITS, mapYielding, WorkSlice } from '#kernel/scheduling/cooperative-scheduler.js';
import type { Owner } from '../identity/identifiers.queries.js';
import { type ClaimKey, upsertStates, type StoredClaim, readStates } from './claims.queries.js';
import { RulesCache } from './rules.cache.js';

/** Statements of one claim: new ones, or its whole history. */
export interface NewStatements extends ClaimKey {
  readonly statements: readonly Statement[];
}

/** Reads the whole history of claims with late statements. Called at most once per derivation. */
export type HistoryReader = (keys: readonly ClaimKey[]) => Promise<readonly NewStatements[]>;

/** The properties that make up an entity's name. */
export const NAME_PROPERTIES: ReadonlySet<string> = new Set(['name', 'first_name', 'last_name']);

/** Derives claims and stores their fold states. Gets history from its caller and never reads the log itself. */
@Injectable()
export class ClaimsService {
  constructor(private readonly rules: RulesCache) {}

  /** Returns the rules that the claims of a workspace are folded under. */
  rulesOf(workspace: string): ClaimRules {
    return this.rules.get(workspace).rules;
  }

  /**
   * Reads the stored states of claims. Can be sent before the rows of the append are returned.
   * @param owners owners of these claims, as found before they were locked.
   * @throws ClusterChangedError if an owner was merged or unmerged since; the transaction is retried then.
   */
  readStates(tx: Tx, keys: readonly ClaimKey[], owners: readonly Owner[] = []): Promise<StoredClaim[]> {
    return readStates(tx, keys, owners);
  }

  /**
   * Folds new statements into stored states. A statement in order of time costs the same however long the history is; a
   * claim with a late statement is folded again from its whole history.
   * @param now statements observed later than this are not effective yet.
   * @param stored the states before, of these claims and of those that are linked with them.
   * @returns the new states of the claims that got statements, and of those that are linked with them.
   */
  async derive(
    tx: Tx,
    newStatements: readonly NewStatements[],
    stored: readonly StoredClaim[],
    now: Instant,
    readHistory: HistoryReader,
  ): Promise<StoredClaim[]> {
    const rules = this.rulesOf(tx.workspace);
    const before = new Map(stored.map(claim => [`${claim.entityId} ${claim.property}`, claim.state]));
    const folded: StoredClaim[] = [];
    const late: ClaimKey[] = [];
    const slice = new WorkSlice();
    for (const addition of newStatements) {
      const key = `${addition.entityId} ${addition.property}`;
      let state: PropertyState | 'late' = before.get(key) ?? emptyState();
      for (const statement of sortByTime(addition.statements)) {
        if (slice.isFull()) await slice.yield();
        const next = appendStatement(rules, addition.property, state, statement, now);
        state = next === 'late' ? next : next.state;
        if (state === 'late') break;
      }
      if (state === 'late') late.push(addition);
      else folded.push({ entityId: addition.entityId, property: addition.property, state });
    }
    slice.end();
    if (late.length > 0)
      folded.push(
        ...(await mapYielding(
          await readHistory(late),
          whole => this.fold(tx.workspace, whole, now),
          ({ statements }) => statements.length * ITEM_UNITS,
        )),
      );
    return linkAddresses(rules, folded, stored);
  }

  /** Stores folded claims, with COMMIT unless they are megabytes. Call it once per transaction. */
  save(tx: Tx, folded: readonly StoredClaim[]): Promise<void> {
    return upsertStates(tx, this.rulesOf(tx.workspace), folded);
  }

  /** Returns the new names of the entities whose name claims were folded; null if the name has ended. */
  deriveNames(
    folded: readonly StoredClaim[],
    stored: readonly StoredClaim[],
    now: Instant,
  ): Map<string, string | null> {
    const renamed = folded.filter(claim => NAME_PROPERTIES.has(claim.property)).map(claim => claim.entityId);
    const states = new Map([...stored, ...folded].map(claim => [`${claim.entityId} ${claim.property}`, claim.state]));
    const text = (entityId: string, property: string) => {
      const state = states.get(`${entityId} ${property}`);
      const value = state && toClaim(defaultRules, property, state, now)?.value;
      return typeof value === 'string' ? value : undefined;
    };
    return new Map(
      renamed.map(id => [id, text(id, 'name') ?? composeName(text(id, 'first_name'), text(id, 'last_name')) ?? null]),
    );
  }

  /**
   * Folds claims from their whole history, and yields to other requests in between. Claims that are linked with them have
   * to be among them.
   */
  async rebuild(workspace: string, histories: readonly NewStatements[], now: Instant): Promise<StoredClaim[]> {
    const folded = await mapYielding(
      histories,
      history => this.fold(workspace, history, now),
      ({ statements }) => ITEM_UNITS * statements.length,
    );
    return linkAddresses(this.rulesOf(workspace), folded, []);
  }

  private fold(workspace: string, { entityId, property, statements }: NewStatements, now: Instant): StoredClaim {
    return { entityId, property, state: foldAll(this.rulesOf(workspace), property, statements, now) };
  }
}

/**
 * Links the claims about the address of an entity and about its status, and adds the stored one of a pair of which only
 * the other was folded.
 */
export function linkAddresses(
  rules: ClaimRules,
  folded: readonly StoredClaim[],
  stored: readonly StoredClaim[],
): StoredClaim[] {
  const isLinked = ({ property }: StoredClaim) => LINKED_PROPERTIES.includes(property);
  const touched = new Set(folded.filter(isLinked).map(({ entityId }) => entityId));
  if (touched.size === 0) return [...folded];
  const states = new Map(
    [...stored, ...folded].filter(isLinked).map(claim => [`${claim.entityId} ${claim.property}`, claim.state]),
  );
  const linked = [...touched].flatMap(entityId => {
    const [email, status] = [ADDRESS_PROPERTY, ADDRESS_STATUS_PROPERTY].map(p => states.get(`${entityId} ${p}`));
    const pair = linkAddressStates(rules, { email, status });
    return [
      ...(pair.email ? [{ entityId, property: ADDRESS_PROPERTY, state: pair.email }] : []),
      ...(pair.status ? [{ entityId, property: ADDRESS_STATUS_PROPERTY, state: pair.status }] : []),
    ];
  });
  return [...folded.filter(claim => !isLinked(claim)), ...linked];
}

/** Returns the properties whose claims have to be read together with those of a property, itself included. */
export function listLinkedProperties(property: string): readonly string[] {
  if (NAME_PROPERTIES.has(property)) return [...NAME_PROPERTIES];
  return LINKED_PROPERTIES.includes(property) ? LINKED_PROPERTIES : [property];
}

function sortByTime(statements: readonly Statement[]): Statement[] {
  return statements.toSorted((a, b) => a.observedAt - b.observedAt);
}

/** An observation with the canonical id of its cluster. */
type ClusterObservation = StoredObservation & { readonly clusterId: string };

/** Groups the statements of observations by claim: the observation's own property, or those that an event implies. */
export function groupStatementsByClaim(observations: readonly ClusterObservation[]): NewStatements[] {
  const stated = observations.flatMap(o => toStatements(o).map(statement => ({ entityId: o.clusterId, statement })));
  const byClaim = Map.groupBy(stated, ({ entityId, statement }) => `${entityId} ${statement.property}`);
  return [...byClaim.values()].map(own => {
    const { entityId, statement } = own[0]!;
    return { entityId, property: statement.property, statements: own.map(each => each.statement) };
  });
}

/** Observations about to be recorded for an entity, given by canonical id. */
interface ObservedEntity {
  readonly entityId: string;
  readonly observations: readonly ObservationDraft[];
}

/** Returns the claims that these observations change, and those that are linked with them, such as parts of the name. */
export function touchedClaimKeys(entities: readonly ObservedEntity[]): ClaimKey[] {
  const keys = new Map<string, ClaimKey>();
  const add = (entityId: string, property: string) => keys.set(`${entityId} ${property}`, { entityId, property });
  for (const { entityId, observations } of entities) {
    for (const { property } of observations.flatMap(impliedBy)) {
      for (const linked of listLinkedProperties(property)) add(entityId, linked);
    }
  }
  return [...keys.values()];
}

/** Returns the log properties that state a claim: its own, the events that imply it and the states that lift it. */
export function logPropertiesFor(property: string): string[] {
  return [property, ...eventsImplying(property), ...statesLifting(property)];
}
