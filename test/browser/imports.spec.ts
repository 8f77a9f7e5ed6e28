import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Download } from 'playwright-core';
import { describeInBrowser } from '../support/browser/chromium.js';
import { checkOtherLooks } from '../support/browser/other-looks.js';
import { setUpStage } from '../support/browser/stage.js';
import { account } from '../support/graph/graph-calls.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../plugins', import.meta.url));
const ROWS = 1_000;

async function readDownload(download: Download): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describeInBrowser('an import', () => {
  const stage = setUpStage({ settings: { PLUGINS_DIR } });

  const visit = (path: string) => stage.view.page.goto(`/w/${stage.workspace.workspaceId}/${path}`);
  const choose = (...files: { name: string; text: string }[]) =>
    stage.view.page
      .locator('input[type=file]')
      .first()
      .setInputFiles(files.map(({ name, text }) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })));

  it('goes from a file over its columns and a dry run to people, and back', async () => {
    const { page } = stage.view;
    const { workspace } = stage;
    await workspace.post('/v2/people', { email: 'i1@import.example', name: 'Import 1', title: 'Head of Sales' });
    const rows = Array.from({ length: ROWS }, (_, n) => `Import ${n},i${n}@import.example,Engineer,Imported,${n % 12}`);
    const text = ['Full Name,E-mail,Job Title,Employer,Renewal (Month)', ...rows, 'Nobody,,CEO,Imported,'].join('\n');
    await visit('imports');
    await choose({ name: 'contacts.csv', text });
    await page.getByRole('heading', { level: 1, name: /contacts\.csv/ }).waitFor();
    await page.getByRole('region', { name: 'First rows of the file' }).getByText('i19@import.example').waitFor();
    await page.getByText('The header names it', { exact: false }).first().waitFor();
    const column = (name: string) => page.getByRole('combobox', { name: `States: ${name}` });
    expect(await column('Employer').inputValue()).toBe('company');
    await column('Employer').selectOption('');
    await column('Renewal (Month)').selectOption('new property…');
    expect(await page.getByLabel('Name of the property: Renewal (Month)').inputValue()).toBe('renewal_month');
    await page.getByText('identifies', { exact: true }).waitFor();
    expect(await stage.view.findBarriers()).toEqual([]);
    await stage.view.takePicture('import preview');

    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByText('Dry run: done').waitFor();
    await page.getByText('999 rows new').waitFor();
    await page.getByText('1 row known, with another value').click();
    await page.getByRole('row').filter({ hasText: 'Import 1' }).getByText('Head of Sales → Engineer').waitFor();
    await page.getByText('1 row rejected').click();
    await page.getByRole('cell', { name: /has no e-mail address/ }).waitFor();
    expect(await stage.view.findBarriers()).toEqual([]);
    expect((await workspace.get('/v2/accounts/i0@import.example')).status).toBe(404);
    await stage.view.takePicture('import');
    await checkOtherLooks(stage, 'import', async ({ page: other }) => {
      await other.getByText('1 row known, with another value').click();
      await other.getByText('Head of Sales').waitFor();
    });

    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Import: done').waitFor();
    const imported = await account(workspace, 'i999@import.example');
    expect(imported.claims['title']!.value).toBe('Engineer');
    expect(imported.claims['renewal_month']!.value).toBe(999 % 12);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Rejected rows' }).first().click(),
    ]);
    expect(download.suggestedFilename()).toBe('rejected-contacts.csv');
    const report = await readDownload(download);
    expect(report).toContain('at,field,error,Full Name,E-mail,Job Title,Employer,Renewal (Month)');

    await page.getByRole('button', { name: 'What would an undo take back?' }).click();
    const { rows: recorded } = await stage.hub.database.pool.query<{ count: string }>(
      "SELECT count(*) FROM observations WHERE workspace_id = $1 AND source LIKE 'csv:%'",
      [workspace.workspaceId],
    );
    const observations = Number(recorded[0]!.count).toLocaleString('en');
    await page
      .getByText(`An undo takes back ${observations} observations, and removes at least 999 accounts`)
      .waitFor();
    expect((await workspace.get('/v2/accounts/i0@import.example')).status).toBe(200);
    await page.getByRole('button', { name: 'Undo the import' }).click();
    await page.getByText('Undo: done').waitFor();
    expect((await workspace.get('/v2/accounts/i0@import.example')).status).toBe(404);
    expect((await account(workspace, 'i1@import.example')).claims['title']!.value).toBe('Head of Sales');

    await page.getByRole('link', { name: 'Imports' }).first().click();
    await page.getByRole('link', { name: /contacts\.csv.*Undo: done/ }).waitFor();
    await choose({ name: 'rejected-contacts.csv', text: report.replace('Nobody,,', 'Nobody,nobody@import.example,') });
    await page.getByText('they are mapped as the last time', { exact: false }).waitFor();
    expect(await column('Employer').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Import: done').waitFor();
    expect((await account(workspace, 'nobody@import.example')).name).toBe('Nobody');
  });

  it('is read otherwise, and its file is deleted by its name', async () => {
    const { page } = stage.view;
    await visit('imports');
    await choose({ name: 'kunden.csv', text: 'Kunden\nName|E-Mail;x\nMia|mia@acme.example;1\n' });
    await page.getByText('Read it otherwise').click();
    await page.getByLabel('Delimiter').selectOption('|');
    await page.getByLabel('Line of the header').fill('2');
    await page.getByLabel('True on').fill('2025-03-31');
    await page.getByRole('button', { name: 'Read it again' }).click();
    await page.getByRole('columnheader', { name: 'E-Mail;x' }).waitFor();
    await page.getByText('line 2', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Delete the file' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete kunden.csv' });
    await dialog.getByLabel('Name').fill('kunden.csv');
    await dialog.getByRole('button', { name: 'Delete the file' }).click();
    await page.getByRole('heading', { level: 1, name: 'Imports' }).waitFor();
    expect(await page.getByRole('link', { name: /kunden/ }).count()).toBe(0);
  });

  it('takes pasted rows, several files, and a folder', async () => {
    const { page } = stage.view;
    await visit('imports');
    await page.getByText('Paste rows').click();
    const pasted = page.getByLabel('Rows, with the names of the columns first');
    await pasted.fill('Name\tEmail\nAda Byron\tada@acme.example\nNobody\t\n');
    expect(await stage.view.findBarriers()).toEqual([]);
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: /pasted\.tsv/ }).waitFor();
    await page.getByText('1 row would be rejected').click();
    await page.getByText(/^line 3: The row has no e-mail address/).waitFor();

    await visit('imports');
    await choose(
      { name: 'one.csv', text: 'Email\na@acme.example\n' },
      { name: 'two.csv', text: 'Email\nb@acme.example\n' },
    );
    await page.getByRole('link', { name: /one\.csv/ }).waitFor();
    await page.getByRole('link', { name: /two\.csv/ }).waitFor();

    const folder = await mkdtemp(join(tmpdir(), 'rapport-folder-'));
    await writeFile(join(folder, 'three.csv'), 'Email\nc@acme.example\n');
    await writeFile(join(folder, 'picture.png'), 'no table');
    await page.getByLabel('Choose a folder').setInputFiles(folder);
    await page.getByRole('heading', { level: 1, name: /three\.csv/ }).waitFor();
    await rm(folder, { recursive: true });
  });
});
