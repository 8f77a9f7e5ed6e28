import { record, state } from '../support/graph-calls.js';
import { startTestHub, type TestHub } from '../support/hub.js';
import { expectKeptIsFolded } from '../support/kept-claims.js';
import { rapport } from '../support/rapport-command.js';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub?.end());

const rebuild = async (...words: string[]) => {
  const { connectionString } = hub.database.pool.options as { connectionString: string };
  return rapport(['admin', 'rebuild-claims', ...words], { DATABASE_URL: connectionString });
};

it('folds the claims of one workspace or of all, beside a running hub', async () => {
  const [one, two] = [await hub.workspace(), await hub.workspace()];
  for (const client of [one, two]) await record(client, 'ada@acme.com', [state('title', 'VP')]);
  await hub.database.pool.query(`UPDATE claims SET state = '{}' WHERE property = 'title'`);

  const first = await rebuild('--workspace', one.workspaceId, '--json');
  expect({ ...first, err: '' }).toMatchObject({ code: 0 });
  expect(JSON.parse(first.out)).toEqual({
    rebuilt: [{ workspace_id: one.workspaceId, entities: 2, claims: 2, changed: 1 }],
  });
  expect(first.err).toContain(`${one.workspaceId}: 2 entities read, 1 claims changed`);

  const all = await rebuild();
  expect(all.out).toMatch(new RegExp(`${one.workspaceId} +2 +2 +0`));
  expect(all.out).toMatch(new RegExp(`${two.workspaceId} +2 +2 +1`));
  for (const { workspaceId } of [one, two]) await expectKeptIsFolded(hub.database.pool, workspaceId);
});

it('says what it cannot do', async () => {
  expect(await rebuild('--workspace', 'x')).toMatchObject({ code: 2 });
});
