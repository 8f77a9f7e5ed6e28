import { type ClaimKey, readStates } from '#graph/claims/claims.queries.js';
import { ClustersMoved } from '#graph/identity/clusters-moved.js';
import type { Owner } from '#graph/identity/identifiers.queries.js';
import { newId } from '#kernel/ids.js';
import { record, state } from '../support/graph-calls.js';
import { startTestHub, type TestHub } from '../support/hub.js';
import { merge } from '../support/merge-calls.js';

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

it('of several entities each gives the claims that were asked of it, and no others', async () => {
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

it('whoever has moved to another cluster since, or is not there, is noticed', async () => {
  const own = (id: string, canonicalId = id) => ({ id, canonicalId });
  const keys = [{ entityId: ada, property: 'title' }];
  const readFor = (...owners: Owner[]) =>
    hub.database.work.run(acme.workspaceId, tx => readStates(tx, keys, owners).catch((error: unknown) => error));
  expect(await readFor(own(ada), own(bo), own(bo))).toHaveLength(1);
  expect(await readFor(own(ada), own(nobody))).toBeInstanceOf(ClustersMoved);
  expect(await readFor(own(ada), own(bo, ada))).toBeInstanceOf(ClustersMoved);
  await merge(acme, 'ada@kept.com', 'bo@kept.com');
  expect(await readFor(own(ada), own(bo, ada))).toHaveLength(1);
  expect(await readFor(own(ada), own(bo))).toBeInstanceOf(ClustersMoved);
  expect(await readFor(own(bo, ada), own(bo))).toBeInstanceOf(ClustersMoved);
});
