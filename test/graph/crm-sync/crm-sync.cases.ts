import { AGENTS, type Agent } from '../../fixtures/mcp/agents.js';
import type { Client, TestHub } from '../../support/hub.js';

/** The tool and the endpoint that keep a CRM in step, on a hub that has a plugin for it. */
export function crmSyncCases(hub: () => TestHub): void {
  describe.each(AGENTS)('the sync of a CRM, for %s', (_name, connect) => {
    let client: Client;
    let agent: Agent;
    beforeAll(async () => {
      client = await hub().workspace('growth');
      agent = await connect(new URL('/mcp', hub().url), client.key);
    });
    afterAll(() => agent?.close());

    const change = (input: object, once?: string) =>
      agent.call(
        'configure_crm_sync',
        { provider: 'hubspot', ...input },
        once === undefined ? {} : { meta: { 'rapport/idempotencyKey': once } },
      );
    const stored = async () => (await client.get<{ config: object | null }>('/v2/workspace/crm-sync')).body.config;

    it('is checked by a dry run, changed once per key, and read back', async () => {
      expect(await change({})).toMatchObject({ isError: true, text: expect.stringContaining('crm_not_connected') });
      const request = { provider: 'crm', credentials: { api_key: 'k' } };
      expect((await client.post('/v2/workspace/integrations', request)).status).toBe(201);

      const diff = [{ setting: 'auto_sync', from: null, to: true }];
      const rehearsed = await change({ autoSync: true, dry_run: true });
      expect(rehearsed.structuredContent).toMatchObject({ ok: true, dry_run: true, dry_run_diff: diff });
      expect(JSON.parse(rehearsed.text)).toEqual(rehearsed.structuredContent);
      expect(await stored()).toMatchObject({ auto_sync: false, direction: 'pull' });

      const first = await change({ autoSync: true }, 'once');
      expect(first.structuredContent).toMatchObject({ ok: true, dry_run_diff: diff, config: { auto_sync: true } });
      expect((await change({ autoSync: true }, 'once')).structuredContent).toEqual(first.structuredContent);
      expect((await change({ autoSync: true })).structuredContent).toMatchObject({ dry_run_diff: [] });
      expect(await stored()).toMatchObject({ auto_sync: true, direction: 'pull' });
    });

    it.each([
      ['a setting that the plugin does not have', { pushActivities: true }, 'push_activities'],
      ['a value that the plugin does not take', { createIcpThreshold: 95 }, 'create_icp_threshold'],
      ['a word that no CRM knows', { direction: 'sideways' }, 'direction'],
      ['a sync of settings that are not saved', { startSync: 'changes', dry_run: true }, 'not saved'],
      ['a sync that the plugin does not have', { startSync: 'changes' }, 'has no syncs'],
      ['another CRM', { provider: 'attio' }, 'crm_not_connected'],
    ])('is told in words of %s', async (_, given, word) => {
      const before = await stored();
      expect(await change(given)).toMatchObject({ isError: true, text: expect.stringContaining(word) });
      expect(await stored()).toEqual(before);
    });
  });
}
