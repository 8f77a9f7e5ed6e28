import type { Browser } from 'playwright-core';
import { FakeHubspot } from '../fakes/hubspot/server.ts';
import { PLUGINS_DIR } from '../plugins/crm/crm-client.ts';
import { describeInBrowser, launchBrowser } from '../support/browser/chromium.js';
import { type ConsoleHub, startConsoleHub } from '../support/browser/console-hub.js';
import { ConsolePage } from '../support/browser/console-page.js';
import { signUpOwner } from '../support/browser/sign-up.js';
import { settleCommits } from '../support/database/commit-order.js';
import type { Client } from '../support/hub.js';

const MARCH = '2026-03-01T09:00:00.000Z';
/** One more than may be changed without an approval. */
const CONTACTS = 12;

describeInBrowser('the page of the CRM sync', () => {
  let browser: Browser;
  let hub: ConsoleHub;
  let hubspot: FakeHubspot;

  beforeAll(async () => {
    [browser, hubspot] = await Promise.all([launchBrowser(), FakeHubspot.start()]);
    hub = await startConsoleHub({ PLUGINS_DIR, EGRESS_ALLOWLIST: '127.0.0.1' });
  });
  afterAll(async () => {
    await browser?.close();
    await hub?.end();
    await hubspot?.close();
  });

  const correct = (acme: Client, n: number, property: string, value: string) =>
    acme.post('/v2/observations', {
      focus: `external:hubspot:${500 + n}`,
      observations: [{ kind: 'state', property, value, source: 'user', method: 'correction' }],
    });

  it('leads from a dry run to a sync, an approval, and a decision', async () => {
    const acme = await hub.workspace();
    for (let n = 0; n < CONTACTS; n++) {
      const contact = { email: `p${n}@acme-crm.example`, name: `Ann No${n}`, title: 'CFO', phone: '+4930901820' };
      hubspot.putContact(String(500 + n), contact, MARCH);
    }
    const view = await ConsolePage.open(browser, hub.url);
    const { page } = view;
    await signUpOwner(view, hub, acme);
    await page.goto(`/w/${acme.workspaceId}/integrations/crm`);
    await page.getByRole('heading', { name: 'No CRM is connected' }).waitFor();
    expect(view.takeComplaints()).toHaveLength(1);
    await acme.post('/v2/workspace/integrations', {
      provider: 'crm',
      credentials: { access_token: hubspot.token },
      settings: {
        api_url: hubspot.url,
        direction: 'both',
        objects: ['contacts'],
        field_map: { phone: { field: 'phone', wins: 'review' } },
      },
    });

    await page.goto(`/w/${acme.workspaceId}/integrations?open=crm`);
    await page.getByRole('link', { name: 'Open the sync' }).click();
    await page.getByRole('heading', { name: 'Nothing has been synced yet' }).waitFor();
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByRole('heading', { name: 'What a sync would do' }).waitFor();
    await page.getByText('Ann No0').waitFor();
    expect((await acme.get('/v2/accounts/p0@acme-crm.example')).status).toBe(404);

    await page.getByRole('button', { name: 'Sync now' }).click();
    await page.getByRole('heading', { name: /^Last sync/ }).waitFor();
    for (let n = 1; n < CONTACTS; n++) await correct(acme, n, 'title', `Head of ${n}`);
    await correct(acme, 0, 'phone', '+4930999999');
    await settleCommits(hub);
    await page.getByRole('button', { name: 'Sync now' }).click();
    await page.getByText('Up to 10 need no approval', { exact: false }).waitFor();
    expect(hubspot.writes).toEqual([]);
    await page.getByRole('button', { name: 'Write them' }).click();
    const log = page.getByRole('region', { name: 'What travelled' });
    await log.getByRole('row').filter({ hasText: 'Ann No7' }).getByText('the graph knows it better').waitFor();
    expect(hubspot.contactOf('507')?.title).toBe('Head of 7');

    await page.getByRole('heading', { name: 'To decide' }).waitFor();
    await page.getByRole('button', { name: 'Write to the CRM' }).click();
    await page.getByText('The next sync writes it.').waitFor();
    await page.getByRole('button', { name: 'Sync now' }).click();
    await log.getByText('you decided so', { exact: false }).waitFor();
    expect(await view.findBarriers()).toEqual([]);
    await log.getByRole('link', { name: 'Ann No0' }).click();
    await page.getByRole('heading', { name: 'Ann No0' }).waitFor();
    expect(view.takeComplaints()).toEqual([]);
    await view.close();
  });

  it('says why a sync failed', async () => {
    const acme = await hub.workspace();
    const view = await ConsolePage.open(browser, hub.url);
    const { page } = view;
    await signUpOwner(view, hub, acme);
    await acme.post('/v2/workspace/integrations', {
      provider: 'crm',
      credentials: { access_token: hubspot.token },
      settings: { api_url: hubspot.url },
    });
    await page.goto(`/w/${acme.workspaceId}/integrations/crm`);
    hubspot.faults.push({ status: 401, body: {} });
    await page.getByRole('button', { name: 'Sync now' }).click();
    await page.getByText('connect again with another one', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: /^Last sync/ }).waitFor();
    expect(view.takeComplaints()).toEqual([]);
    await view.close();
  });
});
