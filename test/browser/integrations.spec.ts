import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { bookingWith } from '../fakes/calcom/bookings.ts';
import { createdOf } from '../fakes/calcom/payloads.ts';
import { FakeCalcom } from '../fakes/calcom/server.ts';
import { describeInBrowser, launchBrowser } from '../support/browser/chromium.js';
import { type ConsoleHub, startConsoleHub } from '../support/browser/console-hub.js';
import { ConsolePage } from '../support/browser/console-page.js';
import { signUpOwner } from '../support/browser/sign-up.js';
import { until } from '../support/until.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../plugins', import.meta.url));
/** The provider sends webhooks to public https addresses only. */
const PUBLIC_URL = 'https://hub.seller.example';
const GUEST = 'grace@navy.example';

describeInBrowser('an integration', () => {
  let browser: Browser;
  let hub: ConsoleHub;
  let calcom: FakeCalcom;

  beforeAll(async () => {
    [browser, calcom] = await Promise.all([launchBrowser(), FakeCalcom.start()]);
    hub = await startConsoleHub({ PLUGINS_DIR, CALENDAR_API_URL: calcom.url, PUBLIC_URL });
    // What runs by itself would ask for the same bookings.
    await hub.database.pool.query(`INSERT INTO plugin_schedules VALUES ('calcom', 'reconcile', 1e15)`);
  });
  afterAll(async () => {
    await browser?.close();
    await hub?.end();
    await calcom?.close();
  });

  it('is tested, connected, feeds the graph, and is disconnected', async () => {
    const acme = await hub.workspace();
    const { hooks } = calcom.account('cal_right');
    const view = await ConsolePage.openThrough(browser, PUBLIC_URL, hub.url);
    const { page } = view;
    await signUpOwner(view, hub, acme);
    await page.goto(`/w/${acme.workspaceId}/integrations`);
    await page.getByRole('button', { name: /Cal\.com/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Cal.com' });
    await dialog.getByLabel('API key').fill('cal_wrong');
    await dialog.getByRole('button', { name: 'Test' }).click();
    await dialog.getByText('Cal.com does not know this API key', { exact: false }).waitFor();
    await dialog.getByLabel('API key').fill('cal_right');
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('button', { name: /Cal\.com.*connected/ }).waitFor();

    const [hook] = [...hooks.all.values()];
    const delivered = await calcom.deliver(hook!, createdOf(bookingWith([GUEST])), hub.url);
    expect(delivered.status).toBe(200);
    await until('the guest is known', async () => (await acme.get(`/v2/accounts/${GUEST}`)).status === 200);
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('row').filter({ hasText: GUEST }).click();
    await page.getByText('meeting scheduled').first().waitFor();

    await page.getByRole('link', { name: 'Integrations' }).click();
    await page.getByRole('button', { name: /Cal\.com.*connected/ }).click();
    const disconnect = dialog.getByRole('button', { name: 'Disconnect' });
    expect(await disconnect.isDisabled()).toBe(true);
    await dialog.getByLabel('Name').fill('Cal.com');
    await disconnect.click();
    await page.getByText('Disconnected.', { exact: false }).waitFor();
    expect(hooks.all.size).toBe(0);
    expect(view.takeComplaints()).toEqual([]);
    await view.close();
  });
});
