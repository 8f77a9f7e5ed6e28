import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { Receiver } from '../fakes/receiver.js';
import { describeInBrowser, launchBrowser } from '../support/browser/chromium.js';
import { type ConsoleHub, startConsoleHub } from '../support/browser/console-hub.js';
import { ConsolePage } from '../support/browser/console-page.js';
import { ANNA, fillSalesGraph } from '../support/browser/sales-graph.js';
import { signUpOwner } from '../support/browser/sign-up.js';
import { account } from '../support/graph/graph-calls.js';
import type { Client } from '../support/hub.js';
import { until } from '../support/until.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../plugins', import.meta.url));

describeInBrowser('the work of a team', () => {
  let browser: Browser;
  let hub: ConsoleHub;
  let receiver: Receiver;
  let acme: Client;
  let view: ConsolePage;

  beforeAll(async () => {
    [browser, receiver] = await Promise.all([launchBrowser(), Receiver.start()]);
    hub = await startConsoleHub({
      PLUGINS_DIR,
      TRIGGERS_EGRESS_ALLOWLIST: 'localhost',
    });
  });
  afterAll(async () => {
    await browser?.close();
    await hub?.end();
    await receiver?.close();
  });
  beforeEach(async () => {
    acme = await hub.workspace();
    await fillSalesGraph(acme);
    view = await ConsolePage.open(browser, hub.url, { viewport: { width: 1440, height: 900 } });
    await signUpOwner(view, hub, acme);
  });
  afterEach(async () => {
    expect(view.takeComplaints()).toEqual([]);
    await view.close();
  });

  const visit = (path: string) => view.page.goto(`/w/${acme.workspaceId}/${path}`);

  /** Returns the lines of the file that a button saves. */
  async function exportedRows(button: string): Promise<string[]> {
    const [file] = await Promise.all([
      view.page.waitForEvent('download'),
      view.page.getByRole('button', { name: button, exact: true }).click(),
    ]);
    return (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/);
  }

  it('asks the notes, reads one, and writes another', async () => {
    const { page } = view;
    await visit('notes');
    await page.getByRole('searchbox').fill('when does she want a pilot?');
    await page.keyboard.press('Enter');
    await page.getByRole('article').getByText('She wants a pilot in January.', { exact: false }).waitFor();
    expect(page.url()).toContain('q=when');
    await page.getByRole('button', { name: 'Write a note' }).click();
    const dialog = page.getByRole('dialog', { name: 'Write a note' });
    await dialog.getByLabel('About').fill(ANNA);
    await dialog.getByLabel('Title').fill('Second call');
    await dialog.getByLabel('Text').fill('The contract goes to legal next week.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Note saved').waitFor();
    await visit('notes?q=legal');
    await page.getByRole('article').getByText('The contract goes to legal', { exact: false }).waitFor();
  });

  it('merges two accounts after a look at both, and undoes it', async () => {
    const { page } = view;
    await visit('merges');
    const decision = page.getByRole('region', { name: 'Decide' });
    await decision
      .getByRole('row')
      .filter({ hasText: 'Chief Revenue Officer' })
      .filter({ hasText: 'VP Sales' })
      .waitFor();
    const asOne = decision
      .getByRole('row')
      .filter({ hasText: /^title/i })
      .getByRole('cell')
      .last();
    const becomes = (await asOne.innerText()).trim();
    await view.takePicture('merge');
    await decision.getByRole('button', { name: 'Merge them' }).click();
    await page.getByText('Merged into one account').waitFor();
    await page.getByRole('heading', { name: 'Nothing to decide' }).waitFor();
    expect((await account(acme, ANNA)).identifiers.map(({ kind }) => kind)).toContain('linkedin');
    expect((await account(acme, ANNA)).claims['title']!.value).toBe(becomes);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('They are two accounts again').waitFor();
    expect((await account(acme, ANNA)).identifiers.map(({ kind }) => kind)).not.toContain('linkedin');
  });

  it('keeps two accounts apart', async () => {
    const { page } = view;
    await visit('merges');
    await page.getByRole('button', { name: 'Keep them apart' }).click();
    await page.getByRole('heading', { name: 'Nothing to decide' }).waitFor();
    const { body } = await acme.get<{ proposals: unknown[] }>('/v2/entities/proposals');
    expect(body.proposals).toEqual([]);
  });

  it('reads leads by list and by play', async () => {
    const { page } = view;
    await visit('leads');
    await page.getByText('2 leads').waitFor();
    await page.getByRole('button', { name: 'Lead list: Every list' }).click();
    await page.getByRole('button', { name: 'Autumn (2)' }).click();
    await page.getByRole('button', { name: 'Lead list: Autumn' }).waitFor();
    expect(await exportedRows('Export')).toHaveLength(3);
    await page.getByRole('row').filter({ hasText: 'Anna Keller' }).getByRole('checkbox').click();
    const ticked = await exportedRows('Export the ticked rows');
    expect(ticked).toHaveLength(2);
    expect(ticked[1]).toContain('Anna Keller');
    await page.getByRole('button', { name: 'Untick all' }).click();
    await page.getByRole('row').filter({ hasText: 'Anna Keller' }).click();
    await page.getByRole('heading', { level: 1, name: 'Anna Keller' }).waitFor();
    await page.getByText(/\d of 2/).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Suppress' }).click();
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
  });

  it('exports companies, all of them and those that are ticked', async () => {
    const { page } = view;
    await visit('companies');
    await page.getByRole('row').filter({ hasText: 'Coralline' }).getByRole('checkbox').click();
    const ticked = await exportedRows('Export the ticked rows');
    expect(ticked).toHaveLength(2);
    expect(ticked[1]).toContain('Coralline');
    expect(await page.getByRole('button', { name: 'Add to a lead list' }).count()).toBe(0);
    expect((await exportedRows('Export')).length).toBeGreaterThan(1);
  });

  it('says who the ideal customer is, sees the rules and the leads that they fit, and saves', async () => {
    const { page } = view;
    await visit('settings/scoring');
    await page
      .getByLabel('Ideal customer')
      .fill('Software companies with 50 to 500 people. Buyers are VP Sales or CRO.');
    await page.getByRole('heading', { name: 'Rules that were read' }).waitFor();
    await page.getByText('headcount of the company is between 50, 500').waitFor();
    expect((await acme.get<{ sections: object }>('/v2/workspace/facts?section=icp')).body.sections).toEqual({});
    await page.getByRole('button', { name: 'Score by these rules' }).click();
    await page.getByText('Saved.', { exact: false }).waitFor();
    await page.reload();
    await page.getByText('headcount of the company is between 50, 500').waitFor();
    expect(await page.getByLabel('Ideal customer').inputValue()).toContain('50 to 500');
  });

  it('sees what trusting a source less would change, before it is saved', async () => {
    const { page } = view;
    const before = (await account(acme, ANNA)).claims['title']!;
    await visit('settings/trust');
    const slider = page.getByLabel('Reliability: linkedin/*');
    await slider.fill('0.1');
    await page.getByRole('button', { name: 'What would change?' }).click();
    await page.getByText('another confidence.', { exact: false }).waitFor();
    expect((await account(acme, ANNA)).claims['title']).toEqual(before);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('All claims are derived again', { exact: false }).waitFor();
    await page.getByRole('row').filter({ hasText: 'linkedin/*' }).filter({ hasText: 'this workspace' }).waitFor();
    await until('the claims are derived again', async () => {
      const { confidence } = (await account(acme, ANNA)).claims['title']!;
      return confidence !== before.confidence;
    });
  });

  it('creates a key, rotates it with a grace, and revokes it', async () => {
    const { page } = view;
    await visit('settings/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('dialer');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByTitle(/claude mcp add --transport http rapport http:\/\/localhost:\d+\/mcp/).waitFor();
    await dialog.getByTitle(/"mcpServers"/).waitFor();
    await view.takePicture('key');
    expect(await view.findBarriers()).toEqual([]);
    const first = (await dialog.getByTitle(/^Copy rap_live_/).getAttribute('title'))!.replace('Copy ', '');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Rotate dialer' }).click();
    await dialog.getByLabel('The present key works for').selectOption('another hour');
    await dialog.getByRole('button', { name: 'Create the new key' }).click();
    const second = (await dialog.getByTitle(/^Copy rap_live_/).getAttribute('title'))!.replace('Copy ', '');
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(second).not.toBe(first);
    for (const key of [first, second]) {
      const { status } = await fetch(`${hub.url}/v2/workspace/status`, { headers: { authorization: `Bearer ${key}` } });
      expect(status).toBe(200);
    }
    const rows = page.getByRole('row').filter({ hasText: 'dialer' });
    await rows
      .filter({ hasText: /in (?:1 hr|60 min)/ })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await dialog.getByLabel('Name').fill('dialer');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await rows.nth(1).waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(1);
  });

  it('adds a webhook, sends a test, and finds it in the log of deliveries', async () => {
    const { page } = view;
    await visit('triggers');
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add an endpoint' });
    await dialog.getByLabel('Address').fill('http://127.0.0.1:9/');
    await dialog.getByLabel('reply.received').check();
    await dialog.getByRole('button', { name: 'Add an endpoint' }).click();
    await dialog.locator('input[name=url][aria-invalid=true]').waitFor();
    expect(view.takeComplaints()).toEqual([expect.stringContaining('400')]);
    await dialog.getByLabel('Address').fill(receiver.url('/console'));
    await dialog.getByRole('button', { name: 'Add an endpoint' }).click();
    const secret = await dialog.getByTitle(/whsec_/).getAttribute('title');
    receiver.secrets.set('/console', secret!.replace('Copy ', ''));
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: /localhost/ }).click();
    await page.getByRole('heading', { name: 'Nothing delivered yet' }).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test was delivered').waitFor();
    expect(receiver.at('/console')).toHaveLength(1);
    const deliveries = page.getByRole('region', { name: 'Deliveries' });
    await deliveries.getByText('delivered').first().click();
    await deliveries.getByText('204', { exact: false }).first().waitFor();
    await deliveries.getByRole('button', { name: 'Send again' }).click();
    await deliveries.getByText('2 attempts').waitFor();
    await deliveries.getByRole('link', { name: 'Open it alone' }).click();
    await page.waitForURL(/\/deliveries\//);
    await page.reload();
    await page.getByRole('region', { name: 'Delivery' }).getByText('204').first().waitFor();
    expect(await view.findBarriers()).toEqual([]);
    await view.takePicture('delivery');
    await page.getByRole('link', { name: 'All deliveries of this endpoint' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await deliveries.getByRole('img', { name: /^2 delivered, the longest took \d+ ms$/ }).waitFor();
    await page.getByRole('button', { name: 'Send failed ones again' }).click();
    await page
      .getByRole('dialog', { name: 'Send failed ones again' })
      .getByRole('button', { name: 'Send again' })
      .click();
    await page.getByText('Nothing failed since then.').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    const name = await page.getByRole('heading', { level: 1 }).innerText();
    await page.getByRole('button', { name: 'Delete' }).click();
    const confirmation = page.getByRole('dialog', { name: `Delete ${name}?` });
    expect(await confirmation.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
    await confirmation.getByLabel('Name').fill(name);
    await confirmation.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    await visit('settings/audit');
    const created = page.getByRole('row').filter({ hasText: 'triggers.create' }).filter({ hasText: 'Olga Owner' });
    await created.waitFor();
    await page.getByLabel('Of what', { exact: true }).selectOption('view');
    await page.getByRole('heading', { name: 'Nothing was changed' }).waitFor();
    await page.getByLabel('Of what', { exact: true }).selectOption('triggers');
    await created.waitFor();
    expect(page.url()).toContain('action=triggers');
    await page.getByLabel('To', { exact: true }).fill('2026-01-31');
    await page.getByRole('heading', { name: 'Nothing was changed' }).waitFor();
    await page.getByLabel('To', { exact: true }).fill('');
    expect((await exportedRows('Export all')).join()).toContain('triggers.create');
    const [head, ...saved] = await exportedRows('Download CSV');
    expect(head).toBe('When,Who,What,Of what,Change');
    expect(saved.join()).toMatch(/\d{4}-\d{2}-\d{2}T[^,]+,Olga Owner,triggers\.create/);
  });
});
