import { type ClaimKey, readStates } from '#graph/claims/claims.queries.js';
import { ClusterChangedError } from '#graph/identity/entity-locks.js';
import type { Owner } from '#graph/identity/identifiers.queries.js';
import { newId } from '#kernel/ids.js';
import { record, state } from '../support/graph/graph-calls.js';
import { startTestHub, type TestHub } from '../support/hub.js';
import { expectClaimsConsistent } from '../support/graph/expect-claims-consistent.js';
import { merge } from '../support/graph/merge-calls.js';

let hub: TestHub;
let acme: Awaited<ReturnType<TestHub['workspace']>>;
let ada: string;
let bo: string;

beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
  const facts = [state('title', 'CTO'), state('department', 'IT'), state('seniority', 'vp')];
  ada = (await record(acme, 'ada@kept.com', facts)).entity_id;
  bo = (await record(acme, 'bo@kept.com', facts)).entity_id;
});
afterAll(() => hub.end());

const read = (keys: readonly ClaimKey[]) => hub.database.work.run(acme.workspaceId, tx => readStates(tx, keys));
const nobody = newId();

it('several entities return the requested claims each, and no others', async () => {
  const keys = [
    { entityId: ada, property: 'title' },
    { entityId: ada, property: 'seniority' },
    { entityId: bo, property: 'department' },
    { entityId: bo, property: 'mood' },
    { entityId: nobody, property: 'title' },
    { entityId: ada, property: 'title' },
  ];
  const names = (await read(keys)).map(({ entityId, property }) => `${entityId} ${property}`);
  expect(names.toSorted()).toEqual([`${ada} seniority`, `${ada} title`, `${bo} department`].toSorted());
  expect(await read([])).toEqual([]);
});

it('few of many that could be meant are looked up one by one', async () => {
  const others = Array.from({ length: 9 }, (_, i) => ({ entityId: newId(), property: `property_${i}` }));
  const stored = await read([...others, { entityId: ada, property: 'title' }, { entityId: bo, property: 'seniority' }]);
  const names = stored.map(({ entityId, property }) => `${entityId} ${property}`);
  expect(names.toSorted()).toEqual([`${ada} title`, `${bo} seniority`].toSorted());
});

it('a statement about the future is returned beside the state of its claim', async () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  await record(acme, 'ada@kept.com', [state('title', 'CEO', { observed_at: soon })]);
  const sql = `SELECT property FROM claims WHERE workspace_id = $1 AND next_change_at = $2`;
  expect((await hub.database.pool.query(sql, [acme.workspaceId, soon])).rows).toEqual([{ property: 'title' }]);
  await expectClaimsConsistent(hub.database.pool, acme.workspaceId);
});

it('an entity that moved to another cluster, or is missing, is detected', async () => {
  const own = (id: string, canonicalId = id) => ({ id, canonicalId });
  const keys = [{ entityId: ada, property: 'title' }];
  const readFor = (...owners: Owner[]) =>
    hub.database.work.run(acme.workspaceId, tx => readStates(tx, keys, owners).catch((error: unknown) => error));
  expect(await readFor(own(ada), own(bo), own(bo))).toHaveLength(1);
  expect(await readFor(own(ada), own(nobody))).toBeInstanceOf(ClusterChangedError);
  expect(await readFor(own(ada), own(bo, ada))).toBeInstanceOf(ClusterChangedError);
  await merge(acme, 'ada@kept.com', 'bo@kept.com');
  expect(await readFor(own(ada), own(bo, ada))).toHaveLength(1);
  expect(await readFor(own(ada), own(bo))).toBeInstanceOf(ClusterChangedError);
  expect(await readFor(own(bo, ada), own(bo))).toBeInstanceOf(ClusterChangedError);
});
