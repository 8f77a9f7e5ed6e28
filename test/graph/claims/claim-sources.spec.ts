import { fillClaimSources } from '#graph/claims/claim-sources.backfill.js';
import { record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;

beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub?.end());

function query<Row extends object = object>({ workspaceId }: Client, sql: string): Promise<Row[]> {
  return hub.database.work.run(workspaceId, tx => tx.query<Row>(sql, [tx.workspace]));
}

const readSources = (client: Client) =>
  query(client, 'SELECT entity_id, property, sources FROM claims WHERE workspace_id = $1 ORDER BY entity_id, property');

describe('the deferred migration that fills the sources of claims', () => {
  it('fills what a write would have stored, in all workspaces and page by page', async () => {
    const [acme, globex] = [await hub.workspace(), await hub.workspace()];
    const many = Array.from({ length: 900 }, (_, i) => state(`fact_${i}`, i, { source: 'csv' }));
    await record(acme, 'ada@acme.com', many);
    await record(acme, 'bob@acme.com', many);
    await record(globex, 'eve@globex.com', [
      state('title', 'CTO', { source: 'crm:x' }),
      state('title', 'CTO', { source: 'agent' }),
      state('technologies', ['Go', 'Elm'], { source: 'crm:x' }),
      state('technologies', ['Go'], { source: 'agent' }),
      state('city', 'Berlin', { source: 'crm:x' }),
      state('email_status', 'valid', { source: 'agent' }),
    ]);
    await record(globex, 'eve@globex.com', [state('city', null, { source: 'crm:x' })]);
    const stored = [await readSources(acme), await readSources(globex)];
    expect(stored[1]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ property: 'title', sources: ['agent', 'crm:x'] }),
        expect.objectContaining({ property: 'technologies', sources: ['agent', 'crm:x'] }),
        expect.objectContaining({ property: 'city', sources: [] }),
      ]),
    );
    for (const client of [acme, globex])
      await query(client, 'UPDATE claims SET sources = NULL WHERE workspace_id = $1 RETURNING entity_id');
    const context = { pool: hub.database.pool, work: hub.database.work };
    let batches = 0;
    for (let cursor: string | undefined; ;) {
      cursor = await fillClaimSources.runBatch(context, cursor);
      batches++;
      if (cursor === undefined) break;
    }
    expect(batches).toBeGreaterThanOrEqual(3);
    expect([await readSources(acme), await readSources(globex)]).toEqual(stored);
  });

  it('leaves a claim alone that was written meanwhile, and one whose state is corrupt', async () => {
    const client = await hub.workspace();
    await record(client, 'ada@acme.com', [state('city', 'Berlin', { source: 'csv' }), state('title', 'CTO')]);
    await query(
      client,
      `UPDATE claims SET sources = CASE property WHEN 'city' THEN '["later"]'::jsonb END,
         state = CASE property WHEN 'title' THEN 'broken' ELSE state END
       WHERE workspace_id = $1 RETURNING entity_id`,
    );
    const context = { pool: hub.database.pool, work: hub.database.work };
    for (let cursor = await fillClaimSources.runBatch(context, undefined); cursor !== undefined;)
      cursor = await fillClaimSources.runBatch(context, cursor);
    expect(await readSources(client)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ property: 'city', sources: ['later'] }),
        expect.objectContaining({ property: 'title', sources: null }),
      ]),
    );
  });
});
