import { Injectable } from '@nestjs/common';
import type { StoredObservation } from '#domain/observation/observation.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { ClaimKey, StoredClaim } from '../claims/claims.queries.js';
import {
  groupStatementsByClaim,
  listLinkedProperties,
  logPropertiesFor,
  type NewStatements,
  ClaimsService,
} from '../claims/claims.service.js';
import { type LogHorizon, readPropertyHistory, readLog } from './observations.queries.js';

/** Reads the log as statements of claims. */
@Injectable()
export class HistoryService {
  constructor(private readonly claims: ClaimsService) {}

  /** Reads all statements of these claims, of every member of their clusters. One statement. */
  async readStatements(tx: Tx, keys: readonly ClaimKey[]): Promise<NewStatements[]> {
    const queries = keys.map(key => ({ entityId: key.entityId, logProperties: logPropertiesFor(key.property) }));
    const history = await readPropertyHistory(tx, queries);
    const all = groupStatementsByClaim(
      [...history].flatMap(([entityId, own]) => own.map(row => ({ ...row, clusterId: entityId }))),
    );
    return all.filter(({ entityId, property }) => keys.some(k => k.entityId === entityId && k.property === property));
  }

  /**
   * Returns the observations that state a claim, of every member of its cluster.
   * @param horizon reads the log as it was at another time; undefined reads it as it is now
   */
  async readObservations(tx: Tx, { entityId, property }: ClaimKey, horizon?: LogHorizon): Promise<StoredObservation[]> {
    const logProperties = logPropertiesFor(property);
    if (!horizon) return (await readPropertyHistory(tx, [{ entityId, logProperties }])).get(entityId) ?? [];
    return (await readLog(tx, entityId, horizon)).filter(row => logProperties.includes(row.property));
  }

  /** Folds these claims from their whole history, and those that they are linked with. */
  async rebuild(tx: Tx, keys: readonly ClaimKey[], now: Instant): Promise<StoredClaim[]> {
    return this.claims.rebuild(tx.workspace, await this.readStatements(tx, withLinked(keys)), now);
  }

  /** Folds every claim of a cluster, given by canonical id, from the log within a horizon. */
  async rebuildAsOf(tx: Tx, entityId: string, asOf: Instant, horizon: LogHorizon): Promise<StoredClaim[]> {
    const log = await readLog(tx, entityId, horizon);
    const histories = groupStatementsByClaim(log.map(row => ({ ...row, clusterId: entityId })));
    return this.claims.rebuild(tx.workspace, histories, asOf);
  }

  /** Returns the events of a cluster within a horizon. */
  async readEvents(tx: Tx, entityId: string, horizon: LogHorizon): Promise<StoredObservation[]> {
    return (await readLog(tx, entityId, horizon)).filter(({ kind }) => kind === 'event');
  }
}

function withLinked(keys: readonly ClaimKey[]): ClaimKey[] {
  const linked = keys.flatMap(({ entityId, property }) =>
    listLinkedProperties(property).map(each => ({ entityId, property: each })),
  );
  return [...new Map(linked.map(key => [`${key.entityId} ${key.property}`, key])).values()];
}
