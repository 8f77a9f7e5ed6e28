import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeInBrowser } from '../support/browser/chromium.js';
import { setUpStage } from '../support/browser/stage.js';

const PLUGINS_DIR = fileURLToPath(new URL('../fixtures/plugins/long', import.meta.url));

describeInBrowser('long work of a plugin', () => {
  const stage = setUpStage({ settings: { PLUGINS_DIR } });
  let home: string;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'rapport-runs-'));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  it('is shown on its integration with its progress, and is paused, resumed and reported', async () => {
    const { page } = stage.view;
    const gate = join(home, 'gate');
    const input = { steps: 3, gateAt: 2, gate };
    await stage.workspace.post('/v2/plugins/steps/start/count', { input, options: {} });
    await page.goto(`/w/${stage.workspace.workspaceId}/integrations?open=steps`);
    const work = page.getByRole('dialog').getByRole('region', { name: 'Long work' });
    await work.getByText('Count steps is running').waitFor();
    await work.getByText('2 records').waitFor();
    await work.getByRole('button', { name: 'Pause' }).click();
    await writeFile(gate, '');
    await work.getByText('Count steps is paused').waitFor();
    expect(await stage.view.findBarriers()).toEqual([]);
    await stage.view.takePicture('long work');
    await work.getByRole('button', { name: 'Resume' }).click();
    await work.getByText(/^Count steps is finished, /).waitFor();
    await work.getByText('3 refused records').waitFor();
    const [report] = await Promise.all([
      page.waitForEvent('download'),
      work.getByRole('button', { name: 'Download the report' }).click(),
    ]);
    expect(report.suggestedFilename()).toBe('steps-report.csv');
    expect(await readFile(await report.path(), 'utf8')).toContain('It has no @.');
  });

  it('is cancelled, and tried again', async () => {
    const { page } = stage.view;
    const input = { steps: 2, gateAt: 1, gate: join(home, 'gate that stays shut') };
    await stage.workspace.post('/v2/plugins/steps/start/count', { input, options: {} });
    await page.goto(`/w/${stage.workspace.workspaceId}/integrations?open=steps`);
    const work = page.getByRole('dialog').getByRole('region', { name: 'Long work' });
    await work.getByRole('button', { name: 'Cancel' }).click();
    await work.getByText(/^Count steps was cancelled, /).waitFor();
    await writeFile(input.gate, '');
    await work.getByRole('button', { name: 'Try again' }).click();
    await work.getByText(/^Count steps is finished, /).waitFor();
  });
});
