import { isDeepStrictEqual } from 'node:util';
import { foldAll, isDue } from '#domain/claims/fold.js';
import { projectClaim } from '#domain/claims/project-claim.js';
import type { ClaimRules } from '#domain/claims/rules.js';
import { MAX_BATCH } from '#domain/observation/observation.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import {
  type ClaimKey,
  keepStates,
  type KeptClaim,
  readStatesOfClusters,
  removeStates,
} from '../claims/claims.queries.js';
import type { ClaimsService } from '../claims/claims.service.js';
import { additionsOf } from './claim-additions.js';
import { readClock, readLogsAfter } from './observations.queries.js';

/** How far a rebuild is. */
export interface Rebuilt {
  readonly entities: number;
  readonly claims: number;
  /** Claims whose kept state differed from what the log gives, was missing, or was there without being stated. */
  readonly changed: number;
}

const ENTITIES_PER_TRANSACTION = 100;
const NOTHING: Rebuilt = { entities: 0, claims: 0, changed: 0 };

/** Where a rebuild goes on, and what it came upon so far. */
export interface RebuildStep extends Rebuilt {
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
  onProgress: (soFar: Rebuilt) => void = () => undefined,
): Promise<Rebuilt> {
  return eachPage(work, workspace, (tx, after) => rebuildPage(tx, claims, after), onProgress);
}

/**
 * Folds one of a hundred parts of the claims anew and compares; keeps nothing. A claim whose time has come since it was
 * kept (a statement about the future that holds by now) is no difference. @param sample chooses the part.
 */
export async function checkClaims(
  work: UnitOfWork,
  workspace: string,
  claims: ClaimsService,
  sample: string,
): Promise<Rebuilt> {
  return eachPage(work, workspace, async (tx, after) => {
    const { last, entities, folded, changed, surplus, due } = await examine(tx, claims, after, sample);
    const wrong = changed.filter(claim => !due.has(nameOf(claim)));
    return { last, entities, claims: folded.length, changed: wrong.length + surplus.length };
  });
}

/** One page of a rebuild: the next hundred entities behind `after`, in the transaction at hand. */
export async function rebuildPage(tx: Tx, claims: ClaimsService, after: string | null): Promise<RebuildStep> {
  const { last, entities, folded, changed, surplus } = await examine(tx, claims, after);
  await removeStates(tx, surplus);
  await keepStates(tx, changed);
  return { last, entities, claims: folded.length, changed: changed.length + surplus.length };
}

/** What other rules would make of a sample of claims. */
export interface Rehearsal {
  readonly claims: number;
  readonly values_changed: number;
  readonly confidences_changed: number;
}

/** Folds the claims of the first hundred entities by two sets of rules and compares what lists would show. */
export async function compareRules(tx: Tx, before: ClaimRules, after: ClaimRules): Promise<Rehearsal> {
  const [logs, now] = await Promise.all([readLogsAfter(tx, null, ENTITIES_PER_TRANSACTION), tx.now()]);
  const stated = [...logs].flatMap(([id, log]) => additionsOf(log.map(row => ({ ...row, clusterId: id }))));
  const shown = (rules: ClaimRules) =>
    stated.map(({ property, statements }) => projectClaim(rules, property, foldAll(rules, property, statements, now)));
  const [one, other] = [shown(before), shown(after)];
  const differ = (what: (claim: (typeof one)[number]) => unknown) =>
    one.filter((claim, i) => !isDeepStrictEqual(what(claim), what(other[i]))).length;
  return {
    claims: stated.length,
    values_changed: differ(claim => claim?.value),
    confidences_changed: differ(claim => [claim?.confidence, claim?.epistemicClass]),
  };
}

async function eachPage(
  work: UnitOfWork,
  workspace: string,
  page: (tx: Tx, after: string | null) => Promise<RebuildStep>,
  onProgress: (soFar: Rebuilt) => void = () => undefined,
): Promise<Rebuilt> {
  let done = NOTHING;
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

async function examine(tx: Tx, claims: ClaimsService, after: string | null, sample?: string) {
  const logs = await readLogsAfter(tx, after, ENTITIES_PER_TRANSACTION, sample);
  const [now, before] = await Promise.all([readClock(tx), readStatesOfClusters(tx, [...logs.keys()])]);
  const horizon = now + MAX_BATCH;
  const stated = [...logs].flatMap(([entityId, log]) => additionsOf(log.map(row => ({ ...row, clusterId: entityId }))));
  const folded = stated.map(addition => claims.foldAnew(tx.workspace, addition, horizon));
  const kept = new Map(before.map(claim => [nameOf(claim), claim.state]));
  const given = new Set(folded.map(nameOf));
  return {
    last: [...logs.keys()].at(-1) ?? null,
    entities: logs.size,
    folded,
    changed: folded.filter(claim => !isDeepStrictEqual(kept.get(nameOf(claim)), asStored(claim))),
    surplus: before.filter(claim => !given.has(nameOf(claim))),
    due: new Set(before.filter(({ state }) => state !== undefined && isDue(state, horizon)).map(nameOf)),
  };
}

function nameOf({ entityId, property }: ClaimKey): string {
  return `${entityId} ${property}`;
}

/** What the state is once it has been through JSON, as the kept one has. */
function asStored({ state }: KeptClaim): unknown {
  return JSON.parse(JSON.stringify(state));
}
