import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { MAX_BATCH_OBSERVATIONS } from '#domain/observation/observation.js';
import type { Cluster } from '#domain/identity/clusters.js';
import { computeActivity } from '#domain/observation/interaction-events.js';
import type { Tx } from '#kernel/db/transaction.js';
import { foldAll, hasDueStatement, projectClaim } from '#domain/claims/fold.js';
import type { ClaimRules } from '#domain/claims/rules.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import {
  type ClaimKey,
  type StoredClaim,
  replaceStates,
  upsertStates,
  readClusterStates,
  removeStates,
} from '../claims/claims.queries.js';
import { groupStatementsByClaim, ClaimsService, linkAddresses } from '../claims/claims.service.js';
import { replaceDerivedFields, recomputeCompanies } from '../identity/links.queries.js';
import { databaseNow, readLogPage, readLogs } from './observations.queries.js';

/** Folds whole clusters from the log after their members or their log have changed. They must be locked. */
@Injectable()
export class ClusterRebuilder {
  constructor(private readonly claims: ClaimsService) {}

  /** Replaces the claims of all members and recomputes names, companies and activity, after a merge or unmerge. */
  async rebuild(tx: Tx, clusters: readonly Cluster[]): Promise<void> {
    await this.refold(tx, clusters);
    await recomputeCompanies(tx, clusters);
  }

  /** Replaces the claims of all members and recomputes names and activity. Five statements, however many clusters. */
  async refold(tx: Tx, clusters: readonly Cluster[]): Promise<void> {
    const [now, logs] = await Promise.all([
      databaseNow(tx),
      readLogs(
        tx,
        clusters.map(([canonicalId]) => canonicalId!),
      ),
    ]);
    const horizon = now + MAX_BATCH_OBSERVATIONS;
    const folded: StoredClaim[] = [];
    const derived: Parameters<typeof replaceDerivedFields>[1][number][] = [];
    for (const [clusterId, log] of logs) {
      const additions = groupStatementsByClaim(log.map(row => ({ ...row, clusterId })));
      const own = await this.claims.rebuild(tx.workspace, additions, horizon);
      const name = this.claims.deriveNames(own, [], horizon).get(clusterId) ?? null;
      derived.push({ id: clusterId, name, ...computeActivity(log, horizon) });
      folded.push(...own);
    }
    await replaceStates(tx, this.claims.rulesOf(tx.workspace), clusters.flat(), folded);
    await replaceDerivedFields(tx, derived);
  }
}

/** Progress of a rebuild. */
export interface RebuildProgress {
  readonly entities: number;
  readonly claims: number;
  /** Claims whose stored state differed from the fold of the log, was missing, or had no statements. */
  readonly changed: number;
}

const ENTITIES_PER_TRANSACTION = 100;
const NO_PROGRESS: RebuildProgress = { entities: 0, claims: 0, changed: 0 };

/** Result of one page of a rebuild. */
export interface RebuildStep extends RebuildProgress {
  /** Id of the last entity of the page; null if no entity was left. */
  readonly last: string | null;
}

/**
 * Folds every claim of a workspace from the log and stores the ones that differ. Claims are a cache, so the result does
 * not depend on what was stored. Runs beside live traffic, 100 entities per transaction.
 */
export async function rebuildClaims(
  work: UnitOfWork,
  workspace: string,
  claims: ClaimsService,
  onProgress: (soFar: RebuildProgress) => void = () => undefined,
): Promise<RebuildProgress> {
  return forEachPage(work, workspace, (tx, after) => rebuildPage(tx, claims, after), onProgress);
}

/**
 * Folds one percent of the claims and compares them with the stored states; stores nothing. A claim that differs only
 * because a future-dated statement has become effective is not a mismatch.
 * @param sample selects the sample; another text gives another sample.
 */
export async function auditClaims(
  work: UnitOfWork,
  workspace: string,
  claims: ClaimsService,
  sample: string,
): Promise<RebuildProgress> {
  return forEachPage(work, workspace, async (tx, after) => {
    const { last, entities, folded, changed, surplus, due } = await diffClaims(tx, claims, after, sample);
    const mismatched = changed.filter(claim => !due.has(toClaimId(claim)));
    return { last, entities, claims: folded.length, changed: mismatched.length + surplus.length };
  });
}

/** Rebuilds the next 100 entities after `after`, in the current transaction. */
export async function rebuildPage(tx: Tx, claims: ClaimsService, after: string | null): Promise<RebuildStep> {
  const { last, entities, folded, changed, surplus } = await diffClaims(tx, claims, after);
  await removeStates(tx, surplus);
  await upsertStates(tx, claims.rulesOf(tx.workspace), changed);
  return { last, entities, claims: folded.length, changed: changed.length + surplus.length };
}

/** How a sample of claims would change under other rules. */
export interface RuleComparison {
  readonly claims: number;
  readonly values_changed: number;
  readonly confidences_changed: number;
}

/** Folds the claims of the first 100 entities under two sets of rules and compares the projections that lists show. */
export async function compareRules(tx: Tx, before: ClaimRules, after: ClaimRules): Promise<RuleComparison> {
  const [logs, now] = await Promise.all([readLogPage(tx, null, ENTITIES_PER_TRANSACTION), tx.now()]);
  const stated = [...logs].flatMap(([id, log]) => groupStatementsByClaim(log.map(row => ({ ...row, clusterId: id }))));
  const project = (rules: ClaimRules) => {
    const folded = stated.map(({ statements, ...key }) => ({
      ...key,
      state: foldAll(rules, key.property, statements, now),
    }));
    return linkAddresses(rules, folded, []).map(({ property, state }) => projectClaim(rules, property, state));
  };
  const [projectedBefore, projectedAfter] = [project(before), project(after)];
  const countDifferences = (pick: (claim: (typeof projectedBefore)[number]) => unknown) =>
    projectedBefore.filter((claim, i) => !isDeepStrictEqual(pick(claim), pick(projectedAfter[i]))).length;
  return {
    claims: stated.length,
    values_changed: countDifferences(claim => claim?.value),
    confidences_changed: countDifferences(claim => [claim?.confidence, claim?.epistemicClass]),
  };
}

async function forEachPage(
  work: UnitOfWork,
  workspace: string,
  page: (tx: Tx, after: string | null) => Promise<RebuildStep>,
  onProgress: (soFar: RebuildProgress) => void = () => undefined,
): Promise<RebuildProgress> {
  let done = NO_PROGRESS;
  for (let after: string | null = null; ;) {
    const step = await work.run(workspace, tx => page(tx, after));
    if (step.last === null) return done;
    after = step.last;
    done = {
      entities: done.entities + step.entities,
      claims: done.claims + step.claims,
      changed: done.changed + step.changed,
    };
    onProgress(done);
  }
}

async function diffClaims(tx: Tx, claims: ClaimsService, after: string | null, sample?: string) {
  const logs = await readLogPage(tx, after, ENTITIES_PER_TRANSACTION, sample);
  const [now, before] = await Promise.all([databaseNow(tx), readClusterStates(tx, [...logs.keys()])]);
  const horizon = now + MAX_BATCH_OBSERVATIONS;
  const stated = [...logs].flatMap(([entityId, log]) =>
    groupStatementsByClaim(log.map(row => ({ ...row, clusterId: entityId }))),
  );
  const folded = await claims.rebuild(tx.workspace, stated, horizon);
  const stored = new Map(before.map(claim => [toClaimId(claim), claim.state]));
  const foldedIds = new Set(folded.map(toClaimId));
  return {
    last: [...logs.keys()].at(-1) ?? null,
    entities: logs.size,
    folded,
    changed: folded.filter(claim => !isDeepStrictEqual(stored.get(toClaimId(claim)), roundTripState(claim))),
    surplus: before.filter(claim => !foldedIds.has(toClaimId(claim))),
    due: new Set(before.filter(({ state }) => state !== undefined && hasDueStatement(state, horizon)).map(toClaimId)),
  };
}

function toClaimId({ entityId, property }: ClaimKey): string {
  return `${entityId} ${property}`;
}

/** Returns the state after a JSON round trip, as stored states have been through one. */
function roundTripState({ state }: StoredClaim): unknown {
  return JSON.parse(JSON.stringify(state));
}
