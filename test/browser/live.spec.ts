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
});
