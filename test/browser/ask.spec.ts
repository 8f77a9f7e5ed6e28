import { describeInBrowser } from '../support/browser/chromium.js';
import { setUpStage } from '../support/browser/stage.js';
import { event, record, state } from '../support/graph/graph-calls.js';

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

describeInBrowser('the page that asks the log', () => {
  const stage = setUpStage();
  beforeEach(async () => {
    const { workspace } = stage;
    const sent = (days: number) => event('email_sent', { source: 'agent', observed_at: ago(days) });
    await record(workspace, 'ada@quist.example', [
      state('name', 'Ada Quist', { source: 'crm' }),
      state('title', 'CFO', { source: 'crm', observed_at: ago(3) }),
      sent(2),
      sent(1),
      event('email_replied', { source: 'agent', observed_at: ago(1) }),
    ]);
    await record(workspace, 'bo@lindt.example', [
      state('name', 'Bo Lindt', { source: 'linkedin' }),
      state('title', 'CFO', { source: 'linkedin' }),
      sent(200),
      sent(5),
    ]);
    await stage.view.page.goto(`/w/${workspace.workspaceId}/ask`);
  });

  it('counts, narrows by a group, and comes back by its address', async () => {
    const { view } = stage;
    const { page } = view;
    const groups = page.getByRole('region', { name: 'Groups' });
    await page.getByLabel('Event or property').fill('interaction.email');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText('4 observations of 2 people and companies').waitFor();
    await page.getByRole('button', { name: 'property', exact: true }).click();
    await groups
      .getByRole('button', { name: /Show them/ })
      .first()
      .waitFor();
    await view.takePicture('ask');
    expect(await view.findBarriers()).toEqual([]);
    await groups.getByRole('button', { name: 'email replied 1 about 1 person or company. Show them' }).click();
    await page.getByText('1 observation of 1 person or company').waitFor();
    const row = page.getByRole('region', { name: 'Observations' }).getByRole('row').last();
    await row.getByRole('link', { name: 'Ada Quist' }).waitFor();
    await page.goBack();
    await page.getByText('4 observations of 2 people and companies').waitFor();
    await page.getByRole('button', { name: 'a year' }).click();
    await page.getByText('5 observations of 2 people and companies').waitFor();
    await page.reload();
    await page.getByText('5 observations of 2 people and companies').waitFor();
  });

  it('finds who has one thing and not the other, and what a value was', async () => {
    const { page } = stage.view;
    await page.getByLabel('Event or property').fill('interaction.email_sent');
    await page.getByLabel('Nobody with').fill('interaction.email_replied');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('button', { name: 'People and companies', exact: true }).click();
    await page.getByText('1 observation of 1 person or company').waitFor();
    const rows = page.getByRole('region', { name: 'People and companies' });
    await rows.getByRole('link', { name: 'Bo Lindt' }).waitFor();

    await page.getByLabel('Event or property').fill('title');
    await page.getByLabel('Nobody with').fill('');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('button', { name: 'value', exact: true }).click();
    await page.getByRole('button', { name: 'CFO 2 about 2 people and companies. Show them' }).click();
    await page.getByRole('list', { name: 'Only' }).getByText('the value CFO').waitFor();
    await page.getByText('2 observations of 2 people and companies').waitFor();
    await page.getByRole('button', { name: 'Remove: the value CFO' }).click();
    await page.getByRole('list', { name: 'Only' }).waitFor({ state: 'detached' });
  });

  it('opens exactly the rows of a property whose name begins another one', async () => {
    const { page } = stage.view;
    await record(stage.workspace, 'ada@quist.example', [
      state('plan', 'Team', { source: 'crm' }),
      state('plan_seats', 20, { source: 'crm' }),
    ]);
    await page.getByLabel('Event or property').fill('plan');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText('2 observations of 1 person or company').waitFor();
    await page.getByRole('button', { name: 'property', exact: true }).click();
    await page.getByRole('button', { name: /^plan 1 about/ }).click();
    await page.getByText('1 observation of 1 person or company').waitFor();
    await page.getByRole('button', { name: 'Remove: the property plan' }).click();
    await page.getByText('2 observations of 1 person or company').waitFor();
  });

  it('draws 24 groups first, and then all of them', async () => {
    const { page } = stage.view;
    await record(
      stage.workspace,
      'ada@quist.example',
      Array.from({ length: 30 }, (_, at) => state('city', `City ${at}`, { source: `source-${at}` })),
    );
    await page.getByLabel('Event or property').fill('city');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByRole('button', { name: 'source', exact: true }).click();
    const bars = page.getByRole('region', { name: 'Groups' }).getByRole('listitem');
    await page.getByRole('button', { name: 'Show all 30 groups' }).waitFor();
    expect(await bars.count()).toBe(24);
    await page.getByRole('button', { name: 'Show all 30 groups' }).click();
    expect(await bars.count()).toBe(30);
  });

  it('says that nothing matches', async () => {
    const { page } = stage.view;
    await page.getByLabel('Source', { exact: true }).fill('nobody');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await page.getByText('Nothing matches').waitFor();
  });
});
