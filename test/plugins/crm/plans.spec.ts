import { type Plan, PLANS } from '#domain/plans/tiers.js';
import { AGENTS } from '../../fixtures/mcp/agents.js';
import type { Client } from '../../support/hub.js';
import { until } from '../../support/until.js';
import { awaitSync, connectCrm, setUpCrm } from './crm-client.ts';

const MARCH = '2026-03-01T09:00:00.000Z';
/** Seven pages. */
const CONTACTS = 620;

const stage = setUpCrm();

beforeEach(() => stage.hubspot.reset());

const ENTRIES: readonly [entry: string, call: (client: Client) => Promise<{ status: number }>, allowed: number][] = [
  ['connecting', client => connectCrm(client, stage.hubspot), 201],
  ['the settings', client => client.get('/v2/workspace/crm-sync'), 200],
  [
    'a sync by the settings',
    client => client.post('/v2/workspace/crm-sync', { provider: 'hubspot', start_sync: 'changes' }),
    200,
  ],
  ['the state', client => client.get('/v2/plugins/crm/status'), 200],
  ['a sync', client => client.post('/v2/plugins/crm/sync', {}), 202],
  ['the fields', client => client.get('/v2/plugins/crm/fields/contacts'), 200],
  ['what travelled', client => client.get('/v2/plugins/crm/changes'), 200],
  ['what waits for a decision', client => client.get('/v2/plugins/crm/reviews'), 200],
  ['a record', client => client.get('/v2/plugins/crm/records/contacts/501'), 200],
];

describe.each(PLANS)('the plan %s', plan => {
  const isIncluded = plan !== 'starter';

  it(`${isIncluded ? 'has' : 'refuses'} every entry point`, async () => {
    const client = await stage.hub.workspace(plan);
    for (const [entry, call, allowed] of ENTRIES) {
      const { status } = await call(client);
      expect([entry, isIncluded ? status === allowed : status === 403 || status === 404]).toEqual([entry, true]);
    }
  });

  it.each(AGENTS)(`${isIncluded ? 'shows' : 'hides'} the tool for %s`, async (_name, connect) => {
    const client = await stage.hub.workspace(plan);
    if (isIncluded) await connectCrm(client, stage.hubspot);
    const agent = await connect(new URL('/mcp', stage.hub.url), client.key);
    const tools = await agent.tools();
    expect(tools.some(({ name }) => name === 'configure_crm_sync')).toBe(isIncluded);
    const answer = await agent.call('configure_crm_sync', { provider: 'hubspot', startSync: 'dry_run' });
    if (isIncluded) {
      expect(answer.structuredContent).toMatchObject({ ok: true, last_run: { name: 'sync' } });
      const { id } = (answer.structuredContent as { last_run: { id: string } }).last_run;
      expect(await awaitSync(client, id)).toMatchObject({ status: 'finished', result: { dry_run: true } });
      expect((await client.get('/v2/workspace/crm-sync')).body).toMatchObject({ last_run: { status: 'finished' } });
    } else expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('plan') });
    await agent.close();
  });
});

describe('a downgrade in mid-sync', () => {
  const setPlan = (client: Client, plan: Plan) =>
    stage.hub.database.pool.query('UPDATE workspaces SET plan = $2 WHERE id = $1', [client.workspaceId, plan]);
  const countPeople = async (client: Client) =>
    (await client.get<{ people: object[] }>('/v2/people?limit=200')).body.people.length;

  it('pauses the sync and keeps what was read; an upgrade goes on with it', async () => {
    for (let id = 1; id <= CONTACTS; id++)
      stage.hubspot.putContact(String(id), { email: `p${id}@plans-crm.example` }, MARCH);
    const client = await stage.hub.workspace('growth');
    await connectCrm(client, stage.hubspot, { objects: ['contacts'] });
    const { body } = await client.post<{ run: string }>('/v2/plugins/crm/sync', {});
    await until('a page is read', () => stage.hubspot.asked.some(({ query }) => query.get('after') !== null));
    await setPlan(client, 'starter');
    await until('the next step is held', async () => {
      const { rows } = await stage.hub.database.pool.query(
        "SELECT FROM plugin_jobs WHERE workspace_id = $1 AND state = 'held'",
        [client.workspaceId],
      );
      return rows.length > 0;
    });
    const pages = stage.hubspot.asked.length;
    expect(await countPeople(client)).toBeGreaterThan(0);
    // A process keeps the plan of an API key for some seconds.
    await until('the routes are closed', async () => (await client.get('/v2/plugins/crm/status')).status === 404);
    expect(stage.hubspot.asked).toHaveLength(pages);
    await setPlan(client, 'growth');
    const run = await awaitSync(client, body.run);
    expect(run).toMatchObject({ status: 'finished', result: { counts: { contacts: { read: 620, created: 620 } } } });
  });
});
