import pg from 'pg';
import { focusKey } from '#graph/identity/focus-key.js';
import { toLockKey } from '#graph/identity/entity-locks.js';
import { findAndLock, type FoundEntities } from '#graph/observations/find-and-lock.queries.js';
import { parseFocus, type PreciseFocus } from '#domain/identity/focus.js';
import { record, state } from '../../support/graph/graph-calls.js';
import type { Client, TestHub } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';
import { waitingForLocks } from '../../support/database/lock-waits.js';
import { merge } from '../../support/graph/merge-calls.js';
import { until } from '../../support/until.js';

let hub: TestHub;
let acme: Client;

hubForSuite(
  made => (acme = made),
  started => (hub = started),
);

const [ADA, PAGE, NOBODY] = ['ada@gmail.com', 'linkedin.com/in/ada', 'nobody@gmail.com'];
const preciseOf = (focus: string) => parseFocus(focus) as PreciseFocus;
const handle = (focus: string) => focusKey(preciseOf(focus));
const idOf = async (focus: string) => (await record(acme, focus, [state('title', `CTO as ${focus}`)])).entity_id;

/** Who is met in a transaction, which locks it holds then, and at which attempt that was. */
async function meeting(
  focuses: readonly string[],
): Promise<FoundEntities & { readonly held: readonly string[]; readonly tries: number }> {
  let tries = 0;
  return hub.database.work.run(acme.workspaceId, async tx => {
    tries++;
    const met = await findAndLock(
      tx,
      focuses.map(focus => ({ focus: preciseOf(focus), properties: ['title', 'phone'] })),
    );
    const held = await tx.query<{ number: string }>(
      `SELECT ((classid::bigint << 32) | objid::bigint)::text AS number FROM pg_locks
       WHERE locktype = 'advisory' AND pid = pg_backend_pid()`,
    );
    return { ...met, held: held.map(({ number }) => number), tries };
  });
}

it('all who are there are locked, by address and by id, with what is kept of the claims that are asked for', async () => {
  const [ada, page] = [await idOf(ADA), await idOf(PAGE)];
  await record(acme, ADA, [state('seniority', 'head')]);
  const { owners, locked, held } = await meeting([ADA, page]);
  expect([...owners]).toEqual([
    [handle(ADA), { id: ada, canonicalId: ada }],
    [handle(page), { id: page, canonicalId: page }],
  ]);
  const kept = locked!.states.map(({ entityId, property }) => `${entityId} ${property}`);
  expect(kept.toSorted()).toEqual([`${ada} title`, `${page} title`].toSorted());
  expect([...held].toSorted()).toEqual([ada, page].map(id => String(toLockKey(id))).toSorted());
});

it('where one is missing nobody is locked, and the others are told', async () => {
  const ada = await idOf(ADA);
  const { owners, locked, held } = await meeting([ADA, NOBODY]);
  expect([owners.get(handle(ADA)), owners.get(handle(NOBODY))]).toEqual([{ id: ada, canonicalId: ada }, null]);
  expect([locked, held]).toEqual([undefined, []]);
});

it('of two that were merged the one cluster is locked', async () => {
  const [ada, page] = [await idOf(ADA), await idOf(PAGE)];
  await merge(acme, ADA, PAGE);
  const { owners, held } = await meeting([ADA, PAGE]);
  expect(owners.get(handle(PAGE))).toEqual({ id: page, canonicalId: ada });
  expect(held).toEqual([String(toLockKey(ada))]);
});

it('who was merged while their lock was waited for is met again, where they are now', async () => {
  const [ada, page] = [await idOf(ADA), await idOf(PAGE)];
  const merging = new pg.Client(hub.database.url);
  await merging.connect();
  try {
    await merging.query('BEGIN');
    await merging.query('SELECT pg_advisory_xact_lock($1)', [String(toLockKey(page))]);
    const late = meeting([PAGE]);
    await until('the lock is waited for', async () => (await waitingForLocks(hub.database.pool)) === 1);
    await merging.query('UPDATE entities SET canonical_id = $1 WHERE id = $2', [ada, page]);
    await merging.query('COMMIT');
    const { owners, locked, held, tries } = await late;
    expect([tries, owners.get(handle(PAGE)), held]).toEqual([
      2,
      { id: page, canonicalId: ada },
      [String(toLockKey(ada))],
    ]);
    expect(locked!.states.map(({ entityId }) => entityId)).toEqual([ada]);
  } finally {
    await merging.end();
  }
});
