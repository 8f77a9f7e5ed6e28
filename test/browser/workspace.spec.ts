import { setUpStage } from '../support/browser/stage.js';
import { describeInBrowser } from '../support/browser/chromium.js';

describeInBrowser('the settings of a workspace', () => {
  const stage = setUpStage();

  const visit = () => stage.view.page.goto(`/w/${stage.workspace.workspaceId}/settings/workspace`);

  it('rename it everywhere, and say what it sells', async () => {
    const { page } = stage.view;
    await visit();
    await page.getByLabel('Name of the workspace').fill('Acme Europe');
    await page.getByLabel('Website').fill('not a site');
    await page.getByRole('button', { name: 'Save the profile' }).click();
    await page.getByText('website must be an address', { exact: false }).waitFor();
    expect(stage.view.takeComplaints()).toHaveLength(1);
    await page.getByLabel('Website').fill('https://acme-europe.example');
    await page.getByLabel('You sell').selectOption('services');
    await page.getByRole('button', { name: 'Save the profile' }).click();
    await page.getByRole('navigation').getByText('Acme Europe').waitFor();
    const { body } = await stage.workspace.get<{ workspace: object }>('/v2/workspace/status');
    expect(body.workspace).toMatchObject({
      name: 'Acme Europe',
      website: 'https://acme-europe.example',
      business_type: 'service',
    });
    expect(await stage.view.findBarriers()).toEqual([]);
    await stage.view.takePicture('workspace-settings');
    expect(stage.view.takeComplaints()).toEqual([]);
  });

  it('say after how many days data is removed', async () => {
    const { page } = stage.view;
    await visit();
    await page.getByText('It has not run yet.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Show the days' }).click();
    await page.getByLabel('Visits of pages').fill('395');
    await page.getByLabel('Log of webhook deliveries').fill('14');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('It holds from the next night on.', { exact: false }).waitFor();
    const { body } = await stage.workspace.get<{ days: object }>('/v2/workspace/retention');
    expect(body.days).toMatchObject({ page_visits: 395, deliveries: 14, notes: null });
    await page.getByLabel('Visits of pages').fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('It holds from the next night on.', { exact: false }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Show the days' }).click();
    await page.getByLabel('Visits of pages').waitFor();
    expect(await page.getByLabel('Visits of pages').inputValue()).toBe('');
    expect(stage.view.takeComplaints()).toEqual([]);
  });

  it('lead to another one, which is empty and one’s own', async () => {
    const { page } = stage.view;
    await visit();
    await page.getByRole('navigation').getByRole('button', { name: 'Scale' }).click();
    await page.getByRole('menuitem', { name: 'New workspace' }).click();
    await page.getByRole('dialog').getByLabel('Name of the workspace').fill('Acme Asia');
    expect(await stage.view.findBarriers()).toEqual([]);
    await stage.view.takePicture('new-workspace');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('navigation').getByText('Acme Asia').waitFor();
    await page.getByRole('navigation').getByRole('button', { name: 'Scale' }).click();
    await page.getByRole('menuitem', { name: 'Acme Asia Owner' }).waitFor();
    expect(new URL(page.url()).pathname).not.toContain(stage.workspace.workspaceId);
    expect(stage.view.takeComplaints()).toEqual([]);
  });
});
