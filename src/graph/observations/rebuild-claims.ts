import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '#kernel/db/transaction.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { keepStates, type KeptClaim, readStates } from '../claims/claims.queries.js';
import { ClaimsService } from '../claims/claims.service.js';
import { additionsOf } from './claim-additions.js';
import { readLogsAfter } from './observations.queries.js';

/** How far a rebuild is. */
export interface Rebuilt {
  readonly entities: number;
  readonly claims: number;
  /** Claims whose kept state differed from what the log gives, or was missing. */
  readonly changed: number;
}

const ENTITIES_PER_TRANSACTION = 100;

/**
 * Folds every claim of a workspace anew from the log and keeps what differs. Claims are a cache: after this they are
 * what they would be had they been written by nobody else. Runs beside live traffic, a hundred entities at a time.
 */
export async function rebuildClaims(
  work: UnitOfWork,
  workspace: string,
  onProgress: (soFar: Rebuilt) => void = () => undefined,
): Promise<Rebuilt> {
  const claims = new ClaimsService();
  let done: Rebuilt = { entities: 0, claims: 0, changed: 0 };
  for (let after: string | null = null; ;) {
    const page = await work.run(workspace, tx => rebuildPage(tx, claims, after));
    if (page.last === null) return done;
    after = page.last;
    done = {
      entities: done.entities + page.entities,
      claims: done.claims + page.claims,
      changed: done.changed + page.changed,
    };
    onProgress(done);
  }
}

async function rebuildPage(tx: Tx, claims: ClaimsService, after: string | null) {
  const [now, logs] = await Promise.all([tx.now(), readLogsAfter(tx, after, ENTITIES_PER_TRANSACTION)]);
  const stated = [...logs].flatMap(([entityId, log]) => additionsOf(log.map(row => ({ ...row, clusterId: entityId }))));
  const folded = stated.map(addition => claims.foldAnew(addition, now));
  const kept = new Map((await readStates(tx, folded)).map(claim => [nameOf(claim), claim.state]));
  const changed = folded.filter(claim => !isDeepStrictEqual(kept.get(nameOf(claim)), asStored(claim)));
  keepStates(tx, changed);
  return { last: [...logs.keys()].at(-1) ?? null, entities: logs.size, claims: folded.length, changed: changed.length };
}

function nameOf({ entityId, property }: KeptClaim): string {
  return `${entityId} ${property}`;
}

/** What the state is once it has been through JSON, as the kept one has. */
function asStored({ state }: KeptClaim): unknown {
  return JSON.parse(JSON.stringify(state));
}
