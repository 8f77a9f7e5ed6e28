import { fileURLToPath } from 'node:url';
import { describeInBrowser } from '../support/browser/chromium.js';
import { checkOtherLooks } from '../support/browser/other-looks.js';
import { setUpStage } from '../support/browser/stage.js';

const PLUGINS_DIR = fileURLToPath(new URL('../fixtures/plugins/sync', import.meta.url));

describeInBrowser('the sync of a partner', () => {
  const stage = setUpStage({ settings: { PLUGINS_DIR } });

  it('has the page of the CRM sync, with the parts that it serves', async () => {
    const { page } = stage.view;
    const { workspaceId } = stage.workspace;
    await page.goto(`/w/${workspaceId}/integrations/acme-sync`);
    await page.getByRole('heading', { name: 'Acme CRM is not connected' }).waitFor();
    await stage.workspace.post('/v2/workspace/integrations', { provider: 'acme-sync', credentials: { token: 't' } });
    await page.goto(`/w/${workspaceId}/integrations?open=acme-sync`);
    await page.getByRole('link', { name: 'Open the sync' }).click();
    await page.getByRole('heading', { name: 'Acme CRM', exact: true }).waitFor();
    await page.getByText('Acme, reads and writes, only when you start it').waitFor();
    await page.getByText('Calls', { exact: true }).click();
    await page.getByRole('group', { name: 'Calls' }).getByText('12 of 1000 today').waitFor();
    expect(await page.getByRole('link', { name: 'Fields' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByRole('heading', { name: 'What a sync would do' }).waitFor();
    await page.getByText('Nia Okafor').waitFor();
    expect(await stage.view.findBarriers()).toEqual([]);
    await page.getByRole('button', { name: 'Sync now' }).click();
    await page.getByRole('heading', { name: /^Last sync/ }).waitFor();
    await page.getByText('To decide', { exact: true }).click();
    await page.getByText('What travelled').click();
    await page.getByText('from Acme: it was changed in Acme').waitFor();
    expect(await stage.view.findBarriers()).toEqual([]);
    await stage.view.takePicture('sync of a partner');
    await checkOtherLooks(stage, 'sync of a partner', async ({ page: other }) => {
      await other.getByText('What travelled').click();
      await other.getByText('from Acme: it was changed in Acme').waitFor();
    });
    const calls: string[] = [];
    page.on('request', request => {
      const { pathname } = new URL(request.url());
      if (/^\/(?:v2|auth)\//.test(pathname)) calls.push(pathname);
    });
    await page.reload();
    await page.getByRole('heading', { name: /^Last sync/ }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(calls).toHaveLength(3);
    await page.getByText('To decide', { exact: true }).click();
    await page.getByRole('button', { name: 'Keep in Acme' }).click();
    await page.getByText('Acme keeps its value.').waitFor();
    await page.getByText('Nothing waits for a decision.').waitFor();
  });

  it('is no page of an integration without one', async () => {
    const { page } = stage.view;
    await page.goto(`/w/${stage.workspace.workspaceId}/integrations/triggers`);
    await page.getByRole('heading', { name: 'Integrations', exact: true }).waitFor();
    expect(stage.view.takeComplaints()).toHaveLength(1);
  });
});
