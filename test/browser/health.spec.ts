import { fileURLToPath } from 'node:url';
import { describeInBrowser } from '../support/browser/chromium.js';
import { setUpStage } from '../support/browser/stage.js';

const BROKEN = fileURLToPath(new URL('../fixtures/plugins/broken', import.meta.url));
const BUNDLED = fileURLToPath(new URL('../../plugins', import.meta.url));

describeInBrowser('the page about health', () => {
  const stage = setUpStage({ settings: { PLUGINS_DIR: BROKEN } });

  it('counts plugins that do not run, and leads to each', async () => {
    const { page } = stage.view;
    await page.goto(`/w/${stage.workspace.workspaceId}/settings/health`);
    await page.getByText(/^\d+ things need attention\.$/).waitFor();
    await stage.view.takePicture('health');
    expect(stage.view.takeComplaints()).toEqual([expect.stringContaining('409')]);
    await stage.view.takePicture('health with problems');
    expect(await stage.view.findBarriers()).toEqual([]);
    const row = page.getByRole('region', { name: 'Integrations' }).getByRole('row', { name: /syntax-error/ });
    await row.getByText('failed', { exact: true }).waitFor();
    await row.getByRole('link').click();
    await page.getByRole('dialog', { name: 'syntax-error' }).waitFor();
  });
});

describeInBrowser('the page about health of a hub whose plugins run', () => {
  const stage = setUpStage({ settings: { PLUGINS_DIR: BUNDLED } });

  it('says that everything works, and lists webhook endpoints', async () => {
    const { page } = stage.view;
    const address = `/w/${stage.workspace.workspaceId}/settings/health`;
    await page.goto(address);
    await page.getByText('Everything works.').waitFor();
    await page.getByText('No webhook endpoint is set up.').waitFor();
    await stage.workspace.post('/v2/workspace/triggers', {
      url: 'https://hooks.acme.example/in',
      events: ['reply.received'],
    });
    await page.reload();
    await page.getByRole('link', { name: 'hooks.acme.example' }).waitFor();
    await page.getByText('Everything works.').waitFor();
  });
});
