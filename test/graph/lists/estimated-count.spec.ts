import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;
let client: Client;

beforeAll(async () => {
  hub = await startTestHub();
  client = await hub.workspace();
  await hub.database.work.run(client.workspaceId, tx =>
    tx.query(
      `INSERT INTO entities (workspace_id, id, type)
       SELECT $1, gen_random_uuid(), CASE WHEN n = 0 THEN 'company' ELSE 'person' END
       FROM generate_series(0, 10001) AS n RETURNING id`,
      [tx.workspace],
    ),
  );
});
afterAll(() => hub?.end());

interface Counted {
  readonly count: number;
  readonly count_is: string;
}

describe('the count of a list', () => {
  it('stops at 10 000 rows if an estimate is enough, and says that there are more', async () => {
    const { body } = await client.get<Counted>('/v2/people?count=estimate&limit=1');
    expect(body).toMatchObject({ count: 10_000, count_is: 'at_least' });
  });

  it('is exact without an estimate', async () => {
    const { body } = await client.get<Counted>('/v2/people?count=true&limit=1');
    expect(body).toMatchObject({ count: 10_001, count_is: 'exact' });
  });
});
