import { describeInBrowser } from '../support/browser/chromium.js';
import { ANNA, fillSalesGraph } from '../support/browser/sales-graph.js';
import { setUpStage } from '../support/browser/stage.js';
import { record, state } from '../support/graph/graph-calls.js';

describeInBrowser('an open page', () => {
  const stage = setUpStage();

  it('shows what others state, without a reload', async () => {
    await fillSalesGraph(stage.workspace);
    const { page } = stage.view;
    await page.goto(`/w/${stage.workspace.workspaceId}/accounts/${ANNA}`);
    await page.waitForResponse(response => response.url().includes('/v2/changes/stream'));
    await page.evaluate('globalThis.isSamePage = true');
    await record(stage.workspace, ANNA, [state('city', 'Lisbon', { source: 'crm:acme' })]);
    await page.getByText('Lisbon').first().waitFor();
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
  });

  it('shows that the browser is offline, and when to try again', async () => {
    await fillSalesGraph(stage.workspace);
    const { page } = stage.view;
    await page.goto(`/w/${stage.workspace.workspaceId}/people`);
    await page.getByRole('row').nth(1).waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline.', { exact: false }).waitFor();
    expect(await stage.view.findBarriers()).toEqual([]);
    await page.context().setOffline(false);
    await page.getByText('You are offline.', { exact: false }).waitFor({ state: 'detached' });

    let isAway = true;
    await page.route('**/v2/notes?**', async route => {
      if (!isAway) return route.continue();
      const body = JSON.stringify({ error: 'unavailable', detail: 'The hub cannot reach its database.' });
      await route.fulfill({ status: 503, contentType: 'application/json', headers: { 'retry-after': '5' }, body });
    });
    await page.goto(`/w/${stage.workspace.workspaceId}/notes`);
    await page.getByText('Try again in 3 seconds.').waitFor();
    isAway = false;
    await page.getByText('pilot', { exact: false }).first().waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    stage.view.takeComplaints();
  });

  it('runs actions from the palette', async () => {
    await fillSalesGraph(stage.workspace);
    const { page } = stage.view;
    await page.goto(`/w/${stage.workspace.workspaceId}/people`);
    await page.getByRole('row').nth(1).waitFor();
    const ask = async (text: string, line: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill(text);
      await page.getByRole('option', { name: line }).waitFor();
    };
    await ask('dark', 'Theme: Dark');
    expect(await stage.view.findBarriers()).toEqual([]);
    await page.getByRole('option', { name: 'Theme: Dark' }).click();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await ask('pilot', 'Search the notes for');
    await page.getByRole('option', { name: 'Search the notes for' }).click();
    await page.waitForURL(/notes\?q=pilot/);
    await ask('write', 'Write a note');
    await page.getByRole('option', { name: 'Write a note' }).click();
    await page.getByRole('dialog', { name: 'Write a note' }).waitFor();
  });

  it('takes the first company where there is none', async () => {
    const { page } = stage.view;
    await page.goto(`/w/${stage.workspace.workspaceId}/companies`);
    await page.getByRole('heading', { name: 'No company is here yet' }).waitFor();
    await page.getByLabel('Domain').fill('acme.example');
    await page.getByLabel('Name').fill('Acme Works');
    await page.getByRole('button', { name: 'Record' }).click();
    await page.getByRole('row').filter({ hasText: 'Acme Works' }).waitFor();
  });
});
