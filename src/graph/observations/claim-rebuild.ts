import { isDeepStrictEqual } from 'node:util';
import { foldAll, hasDueStatement } from '#domain/claims/fold.js';
import { projectClaim } from '#domain/claims/project-claim.js';
import type { ClaimRules } from '#domain/claims/rules.js';
import { MAX_BATCH_OBSERVATIONS } from '#domain/observation/observation.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import {
  type ClaimKey,
  upsertStates,
  type StoredClaim,
  readClusterStates,
  removeStates,
} from '../claims/claims.queries.js';
import type { ClaimsService } from '../claims/claims.service.js';
import { groupStatementsByClaim } from './statements-by-claim.js';
import { databaseNow, readLogPage } from './observations.queries.js';

/** How far a rebuild is. */
export interface RebuildProgress {
  readonly entities: number;
  readonly claims: number;
  /** Claims whose kept state differed from what the log gives, was missing, or was there without being stated. */
  readonly changed: number;
}

const ENTITIES_PER_TRANSACTION = 100;
const NO_PROGRESS: RebuildProgress = { entities: 0, claims: 0, changed: 0 };

/** Where a rebuild goes on, and what it came upon so far. */
export interface RebuildStep extends RebuildProgress {
  /** The last entity of the page; null when there was none left. */
  readonly last: string | null;
}

/**
 * Folds every claim of a workspace anew from the log and keeps what differs. Claims are a cache: after this they are
 * what they would be had they been written by nobody else. Runs beside live traffic, a hundred entities at a time.
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
 * Folds one of a hundred parts of the claims anew and compares; keeps nothing. A claim whose time has come since it was
 * kept (a statement about the future that holds by now) is no difference. @param sample chooses the part.
 */
export async function auditClaims(
  work: UnitOfWork,
  workspace: string,
  claims: ClaimsService,
  sample: string,
): Promise<RebuildProgress> {
  return forEachPage(work, workspace, async (tx, after) => {
    const { last, entities, folded, changed, surplus, due } = await diffClaims(tx, claims, after, sample);
    const wrong = changed.filter(claim => !due.has(toClaimId(claim)));
    return { last, entities, claims: folded.length, changed: wrong.length + surplus.length };
  });
}

/** One page of a rebuild: the next hundred entities behind `after`, in the transaction at hand. */
export async function rebuildPage(tx: Tx, claims: ClaimsService, after: string | null): Promise<RebuildStep> {
  const { last, entities, folded, changed, surplus } = await diffClaims(tx, claims, after);
  await removeStates(tx, surplus);
  await upsertStates(tx, changed);
  return { last, entities, claims: folded.length, changed: changed.length + surplus.length };
}

/** What other rules would make of a sample of claims. */
export interface RuleComparison {
  readonly claims: number;
  readonly values_changed: number;
  readonly confidences_changed: number;
}

/** Folds the claims of the first hundred entities by two sets of rules and compares what lists would show. */
export async function compareRules(tx: Tx, before: ClaimRules, after: ClaimRules): Promise<RuleComparison> {
  const [logs, now] = await Promise.all([readLogPage(tx, null, ENTITIES_PER_TRANSACTION), tx.now()]);
  const stated = [...logs].flatMap(([id, log]) => groupStatementsByClaim(log.map(row => ({ ...row, clusterId: id }))));
  const project = (rules: ClaimRules) =>
    stated.map(({ property, statements }) => projectClaim(rules, property, foldAll(rules, property, statements, now)));
  const [one, other] = [project(before), project(after)];
  const countDifferences = (what: (claim: (typeof one)[number]) => unknown) =>
    one.filter((claim, i) => !isDeepStrictEqual(what(claim), what(other[i]))).length;
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
  const folded = stated.map(addition => claims.rebuild(tx.workspace, addition, horizon));
  const kept = new Map(before.map(claim => [toClaimId(claim), claim.state]));
  const given = new Set(folded.map(toClaimId));
  return {
    last: [...logs.keys()].at(-1) ?? null,
    entities: logs.size,
    folded,
    changed: folded.filter(claim => !isDeepStrictEqual(kept.get(toClaimId(claim)), roundTripState(claim))),
    surplus: before.filter(claim => !given.has(toClaimId(claim))),
    due: new Set(before.filter(({ state }) => state !== undefined && hasDueStatement(state, horizon)).map(toClaimId)),
  };
}

function toClaimId({ entityId, property }: ClaimKey): string {
  return `${entityId} ${property}`;
}

/** What the state is once it has been through JSON, as the kept one has. */
function roundTripState({ state }: StoredClaim): unknown {
  return JSON.parse(JSON.stringify(state));
}
