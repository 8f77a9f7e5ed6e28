import { account, record, state } from '../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';
import { linksOf, merge, tryMerge, tryUnmerge } from '../support/graph/merge-calls.js';

let hub: TestHub;
let victim: Client;
let outsider: Client;
let theirs: string[];

beforeAll(async () => {
  hub = await startTestHub();
  [victim, outsider] = [await hub.workspace(), await hub.workspace()];
  const made = ['ada@gmail.com', 'bo@gmail.com'].map(focus => record(victim, focus, [state('title', 'x')]));
  theirs = (await Promise.all(made)).map(({ entity_id }) => entity_id);
  await merge(victim, theirs[0]!, theirs[1]!);
});
afterAll(() => hub.end());

it('ids of another workspace are nobody’s, to merge, to part and to look at', async () => {
  const { entity_id: own } = await record(outsider, 'own@gmail.com', [state('title', 'x')]);
  for (const id of theirs) {
    for (const [a, b] of [
      [own, id],
      [id, own],
    ] as const) {
      expect((await tryMerge(outsider, a, b)).status).toBe(404);
      expect((await tryUnmerge(outsider, a, b)).status).toBe(404);
    }
    expect((await outsider.post('/v2/accounts/merge', { keep: own, drop: id })).status).toBe(404);
    expect((await outsider.get(`/v2/entities/${id}/links`)).status).toBe(404);
  }
  expect((await linksOf(victim, theirs[0]!)).links).toHaveLength(1);
});

it('equal addresses of two workspaces are merged in one of them only', async () => {
  for (const focus of ['ada@gmail.com', 'bo@gmail.com']) await record(outsider, focus, [state('title', 'own')]);
  const [ada, bo] = [await account(outsider, 'ada@gmail.com'), await account(outsider, 'bo@gmail.com')];
  expect(ada.entity_id).not.toBe(bo.entity_id);
  expect((await linksOf(outsider, 'ada@gmail.com')).links).toEqual([]);
});
