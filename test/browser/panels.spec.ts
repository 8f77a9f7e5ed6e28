import { fileURLToPath } from 'node:url';
import { describeInBrowser } from '../support/browser/chromium.js';
import { setUpStage } from '../support/browser/stage.js';

const PLUGINS_DIR = fileURLToPath(new URL('../fixtures/plugins/panels', import.meta.url));

describeInBrowser('the panels of a plugin', () => {
  const stage = setUpStage({ settings: { PLUGINS_DIR } });

  it('stand on the page of the integration, and a form is saved', async () => {
    const { page } = stage.view;
    await page.goto(`/w/${stage.workspace.workspaceId}/integrations`);
    await page.getByRole('button', { name: /Acme Desk/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Acme Desk' });
    const badge = dialog.getByRole('group', { name: 'Webhook' });
    await badge.getByText('active', { exact: true }).waitFor();
    await badge.getByText('The last event came today.').waitFor();
    await dialog.getByRole('group', { name: 'Odd' }).getByText('data that this page cannot draw').waitFor();

    const form = dialog.getByRole('group', { name: 'Signature' });
    expect(await form.getByLabel('Text').inputValue()).toBe('Best, Olga');
    await form.getByLabel('Text').fill('best');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('must match', { exact: false }).waitFor();
    expect(stage.view.takeComplaints()).toEqual([expect.stringContaining('400')]);
    await form.getByLabel('Text').fill('Yours, Olga');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await stage.view.takePicture('panels of an integration');
    expect(await stage.view.findBarriers()).toEqual([]);

    await page.reload();
    await page.getByRole('group', { name: 'Signature' }).waitFor();
    expect(await form.getByLabel('Text').inputValue()).toBe('Yours, Olga');
  });

  it('stand below the claims of a person, as text that runs no code', async () => {
    const { page } = stage.view;
    const observations = [{ kind: 'state', property: 'city', value: 'Berlin', source: 'crm' }];
    await stage.workspace.post('/v2/observations', { focus: 'grace@navy.example', observations });
    const { body } = await stage.workspace.get<{ entity_id: string }>('/v2/accounts/grace@navy.example');
    await page.goto(`/w/${stage.workspace.workspaceId}/accounts/${body.entity_id}`);
    await page.getByText('From integrations').click();
    const table = page.getByRole('region', { name: 'Tickets · Acme Desk' });
    await table.getByText(`About ${body.entity_id}`).waitFor();
    await table.getByText('1,200').waitFor();
    await table.getByText('<b>Bold</b>').waitFor();
    await table.getByText('javascript:alert(1)').waitFor();
    const links = await table.getByRole('link').all();
    expect(await Promise.all(links.map(link => link.getAttribute('href')))).toEqual(['https://desk.example/1']);
    await stage.view.takePicture('panels of a person');
    expect(await stage.view.findBarriers()).toEqual([]);
  });
});
