import { describeInBrowser } from '../support/browser/chromium.js';
import { setUpStage } from '../support/browser/stage.js';
import { record, state } from '../support/graph/graph-calls.js';

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

describeInBrowser('the pages about facts', () => {
  const stage = setUpStage();
  beforeEach(async () => {
    for (const [name, email] of [
      ['Ada Quist', 'ada@quist.example'],
      ['Bo Lindt', 'bo@lindt.example'],
    ] as const)
      await record(stage.workspace, email, [
        state('name', name, { source: 'crm:x' }),
        state('title', 'VP Sales', { source: 'crm:x', observed_at: ago(30) }),
        state('title', 'Head of Marketing', { source: 'linkedin', observed_at: ago(3) }),
      ]);
    await record(stage.workspace, 'acme.example', [state('industry', 'Retail', { source: 'csv:1' })]);
    await record(stage.workspace, 'cy@marsh.example', [
      state('name', 'Cy Marsh', { source: 'csv:1' }),
      state('pain', 'churn', { source: 'csv:1', observed_at: ago(170) }),
      // An intent stays fresh for four and a half days.
      state('intent', 'high', { source: 'crm:x', observed_at: ago(3) }),
    ]);
  });
  const open = async (path: string) => {
    await stage.view.page.goto(`/w/${stage.workspace.workspaceId}/facts${path}`);
    await stage.view.page.getByRole('heading', { name: 'Facts' }).waitFor();
  };

  it('walks through the conflicts by keys: one is confirmed, another corrected, and both are settled', async () => {
    const { page } = stage.view;
    await open('');
    await page.getByText('2 conflicts').waitFor();
    const decide = page.getByRole('region', { name: 'Decide' });
    await decide.getByText('Head of Marketing').first().waitFor();
    const first = await decide.getByRole('link').first().textContent();
    await page.keyboard.press('j');
    await decide.getByRole('link', { name: first === 'Ada Quist' ? 'Bo Lindt' : 'Ada Quist' }).waitFor();
    await page.keyboard.press('k');
    await decide.getByRole('link', { name: first! }).waitFor();
    await decide.getByText('Head of Marketing').first().waitFor();
    await page.keyboard.press('y');
    await page.getByText('1 conflict', { exact: true }).waitFor();
    await page.getByText('Stated in your name').waitFor();
    await decide.getByText('Head of Marketing').first().waitFor();
    await page.keyboard.press('v');
    await page.getByRole('dialog').getByLabel('Value').fill('CMO');
    await page.getByRole('dialog').getByRole('button', { name: 'State', exact: true }).click();
    await page.getByText('No source contradicts another').waitFor();
  });

  it('lists decayed facts by the way to renew them, and opens their rows', async () => {
    const { page } = stage.view;
    await open('/decaying');
    await page.getByRole('button', { name: 'No longer fresh' }).click();
    const files = page.getByRole('region', { name: 'Import a newer file' });
    await files.getByText('pain').waitFor();
    await files.getByRole('link', { name: 'Open 1 person: pain, csv:1' }).click();
    await page.getByRole('heading', { name: 'People' }).waitFor();
    await page.getByText('pain is no longer fresh').waitFor();
    await page.getByText('pain has the source csv:1').waitFor();
    await page.getByRole('row').filter({ hasText: 'Cy Marsh' }).waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'Ada Quist' }).count()).toBe(0);
  });

  it('lists facts that stop being fresh soon', async () => {
    const { page } = stage.view;
    await open('/decaying?window=30d');
    const sync = page.getByRole('region', { name: 'Sync again' });
    await sync.getByRole('link', { name: 'Open 1 person: intent, crm:x' }).click();
    await page.getByText('intent stops being fresh within 30d').waitFor();
    await page.getByRole('row').filter({ hasText: 'Cy Marsh' }).waitFor();
  });

  it('maps sources by properties, and opens what stands on a source alone', async () => {
    const { page } = stage.view;
    await open('/provenance');
    await page.getByRole('link', { name: '2 / 2 facts about name stand on crm:x alone' }).click();
    await page.getByText('name has only the source crm:x').waitFor();
    await page.getByRole('row').filter({ hasText: 'Ada Quist' }).waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'Cy Marsh' }).count()).toBe(0);
    await page.goBack();
    await page.getByRole('button', { name: 'Companies' }).click();
    await page.getByRole('link', { name: '1 / 1 facts about industry stand on csv:1 alone' }).waitFor();
    expect(await stage.view.findBarriers()).toEqual([]);
  });
});
