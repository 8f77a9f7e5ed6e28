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
    await page.getByRole('heading', { name: 'CRM sync is not connected' }).waitFor();
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
    await page.getByText('What travelled').click();
    await log.getByRole('row').filter({ hasText: 'Ann No7' }).getByText('the graph knows it better').waitFor();
    expect(hubspot.contactOf('507')?.title).toBe('Head of 7');

    await page.getByText('To decide: 1').click();
    await page.getByRole('button', { name: 'Write to HubSpot' }).click();
    await page.getByText('The next sync writes it.').waitFor();
    await page.getByText('To decide: 1').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sync now' }).click();
    await log.getByText('you decided so', { exact: false }).waitFor();
    expect(await view.findBarriers()).toEqual([]);
    await log.getByRole('link', { name: 'Ann No0' }).click();
    await page.getByRole('heading', { name: 'Ann No0' }).waitFor();
    expect(view.takeComplaints()).toEqual([]);
    await view.close();
  });

  it('maps fields: a proposal is taken, a field changed, left out, and brought back', async () => {
    const acme = await hub.workspace();
    hubspot.fields['contacts'] = { ...hubspot.fields['contacts'], job_level: {}, certainty: {} };
    const view = await ConsolePage.open(browser, hub.url);
    const { page } = view;
    await signUpOwner(view, hub, acme);
    await acme.post('/v2/workspace/integrations', {
      provider: 'crm',
      credentials: { access_token: hubspot.token },
      settings: { api_url: hubspot.url, direction: 'both' },
    });
    const readMap = async () => {
      const { body } = await acme.get<{
        integrations: { provider: string; connection: { settings: { field_map?: unknown } } | null }[];
      }>('/v2/workspace/integrations');
      return body.integrations.find(({ provider }) => provider === 'crm')!.connection!.settings.field_map;
    };
    await page.goto(`/w/${acme.workspaceId}/integrations/crm`);
    await page.getByRole('link', { name: 'Fields' }).click();
    const rowOf = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
    await rowOf('job_level').first().getByRole('button', { name: 'Sync as Seniority' }).click();
    await page.getByText('Saved.', { exact: false }).waitFor();
    await rowOf('job_level').first().getByText('both ways').waitFor();
    expect(await readMap()).toEqual({ seniority: { field: 'job_level' } });

    await rowOf('job_level').first().getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('If the CRM has another value').selectOption('you decide');
    await dialog.getByLabel('Write the confidence to').selectOption('certainty');
    expect(await view.findBarriers()).toEqual([]);
    await view.takePicture('crm-field');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await rowOf('job_level').first().getByText('you decide').waitFor();
    expect(await readMap()).toEqual({
      seniority: { field: 'job_level', wins: 'review', confidence_field: 'certainty' },
    });

    await rowOf('job_level').first().getByRole('button', { name: 'Change' }).click();
    await dialog.getByRole('button', { name: 'Leave out' }).click();
    await rowOf('job_level').first().getByRole('button', { name: 'Sync as Seniority' }).waitFor();
    expect(await readMap()).toEqual({ seniority: null });
    await page.keyboard.press('u');
    await rowOf('job_level').first().getByText('you decide').waitFor();

    await page.getByLabel('Find a field').fill('certain');
    await page.getByText('One field.').waitFor();
    expect(await view.findBarriers()).toEqual([]);
    await page.getByLabel('Find a field').fill('');
    await view.takePicture('crm-fields');
    await page.getByRole('link', { name: 'Companies', exact: true }).last().click();
    await rowOf('numberofemployees').first().getByText('Headcount').waitFor();
    expect(view.takeComplaints()).toEqual([]);
    await view.close();
  });

  it('shows what it would do where the plan does not include it', async () => {
    const starter = await hub.workspace('starter');
    const view = await ConsolePage.open(browser, hub.url);
    const { page } = view;
    await signUpOwner(view, hub, starter);
    await page.goto(`/w/${starter.workspaceId}/integrations?open=crm`);
    await page.getByRole('link', { name: 'See what it does' }).click();
    await page.getByRole('heading', { level: 1, name: 'CRM sync' }).waitFor();
    await page.getByText('This needs the plan Growth.', { exact: false }).waitFor();
    expect(await page.getByText('sample', { exact: true }).count()).toBe(3);
    expect(await page.getByRole('button', { name: 'Sync now' }).count()).toBe(0);
    expect(await view.findBarriers()).toEqual([]);
    await view.takePicture('crm-locked');
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
