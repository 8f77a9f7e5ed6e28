import { describeInBrowser } from '../support/browser/chromium.js';
import { setUpStage } from '../support/browser/stage.js';
import { event, record, state } from '../support/graph/graph-calls.js';

const DAY_MS = 86_400_000;

describeInBrowser('the attention page', () => {
  const stage = setUpStage();
  beforeEach(async () => {
    for (const [index, name] of ['Ada Quist', 'Bo Lindt', 'Cy Marsh'].entries()) {
      const quietSince = new Date(Date.now() - (12 + index) * DAY_MS).toISOString();
      await record(stage.workspace, `${name.split(' ')[0]!.toLowerCase()}@quiet${index}.example`, [
        state('name', name),
        state('stage', 'negotiation'),
        event('call_held', { observed_at: quietSince }),
      ]);
    }
  });
  const open = async (path = 'attention') => {
    await stage.view.page.goto(`/w/${stage.workspace.workspaceId}/${path}`);
    await stage.view.page.getByRole('heading', { name: 'Attention' }).waitFor();
  };
  const readHeadlines = () => stage.view.page.locator('a[data-item]').allTextContents();

  it('marks an item as done by a key, takes it back, and lists what is done', async () => {
    const { page } = stage.view;
    await open();
    const first = page.locator('a[data-item]').first();
    await first.waitFor();
    const before = await readHeadlines();
    await first.focus();
    await page.keyboard.press('e');
    await page.getByText('Done. It comes back').waitFor();
    await page.getByText(before[0]!).waitFor({ state: 'detached' });
    await page.keyboard.press('u');
    await page.getByText(before[0]!).waitFor();
    await page.getByRole('listitem').filter({ hasText: before[0]! }).getByRole('button', { name: 'Done' }).click();
    await page.getByText(before[0]!).waitFor({ state: 'detached' });
    await page.getByRole('group', { name: 'State' }).getByRole('button', { name: 'Done' }).click();
    await page.getByText(before[0]!).waitFor();
    expect(page.url()).toContain('state=done');
    expect(await readHeadlines()).toEqual([before[0]]);
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByText('Nothing is done yet').waitFor();
    await open();
    await page.getByText(before[0]!).waitFor();
    expect(await readHeadlines()).toEqual(before);
  });

  it('snoozes an item for a week, and says until when', async () => {
    const { page } = stage.view;
    await open();
    const item = page.getByRole('listitem').first();
    const headline = await item.locator('a[data-item]').textContent();
    await item.getByRole('button', { name: 'Snooze' }).click();
    await item.getByRole('button', { name: 'In 7 days' }).click();
    await page.getByText('Snoozed for 7 days.').waitFor();
    await page.getByText(headline!).waitFor({ state: 'detached' });
    await open('attention?state=snoozed');
    await page.getByText(headline!).waitFor();
    await page.getByText('until in 7 days').waitFor();
    expect(await stage.view.findBarriers()).toEqual([]);
  });

  it('shows an account that went quiet with its people, and marks all of them at once', async () => {
    const { page } = stage.view;
    await record(stage.workspace, 'di@quiet0.example', [
      state('name', 'Di Orr'),
      state('stage', 'negotiation'),
      event('call_held', { observed_at: new Date(Date.now() - 15 * DAY_MS).toISOString() }),
    ]);
    await open();
    const people = page.getByRole('list', { name: 'People there' });
    await people.getByRole('link', { name: 'Ada Quist' }).waitFor();
    await people.getByRole('link', { name: 'Di Orr' }).waitFor();
    expect(await readHeadlines()).toHaveLength(3);
    const account = page.getByRole('listitem').filter({ has: people });
    await account.getByRole('button', { name: 'Done' }).click();
    await people.waitFor({ state: 'detached' });
    expect((await readHeadlines()).join()).not.toMatch(/Ada|Di Orr/);
    await page.getByRole('button', { name: 'Undo' }).click();
    await people.getByRole('link', { name: 'Di Orr' }).click();
    await page.getByRole('heading', { level: 1, name: 'Di Orr' }).waitFor();
  });
});
