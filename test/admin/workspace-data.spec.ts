import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type FreshDatabase, freshDatabase } from '../support/database/database.js';
import { rapportHere } from '../support/process/rapport-command.js';

const NEW_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

let fresh: FreshDatabase;
let folder: string;

beforeAll(async () => {
  fresh = await freshDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'rapport-admin-'));
});
afterAll(async () => {
  await fresh.drop();
  await rm(folder, { recursive: true, force: true });
});

const workspace = (...words: string[]) => rapportHere(['admin', 'workspace', ...words], { DATABASE_URL: fresh.url });

it('a workspace is exported, imported under another ID and deleted, each only when confirmed', async () => {
  const created = await workspace('create', '--name', 'Acme', '--plan', 'growth', '--json');
  const { workspace_id: id } = JSON.parse(created.out) as { workspace_id: string };
  const file = path.join(folder, 'acme.zip');
  expect(await workspace('export', id, file)).toMatchObject({ code: 0, out: expect.stringContaining(file) });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await workspace('export', id, file)).toMatchObject({ code: 1, err: expect.stringContaining('EEXIST') });

  const checked = await workspace('import', file, '--workspace-id', NEW_ID, '--dry-run', '--json');
  expect(JSON.parse(checked.out)).toMatchObject({ workspace_id: NEW_ID, name: 'Acme', plan: 'growth', dry_run: true });
  expect((await workspace('list', '--json')).out).not.toContain(NEW_ID);
  const imported = await workspace('import', file, '--workspace-id', NEW_ID);
  expect(imported).toMatchObject({ code: 0, out: expect.stringMatching(/^api_key +rap_live_/m) });
  expect(await workspace('import', file)).toMatchObject({ code: 1, err: expect.stringContaining('exists already') });

  expect(await workspace('delete', NEW_ID)).toMatchObject({
    code: 1,
    err: expect.stringContaining('--confirm "Acme"'),
  });
  const counted = await workspace('delete', NEW_ID, '--dry-run', '--json');
  expect(JSON.parse(counted.out)).toMatchObject({ deleted: false, tables: { api_keys: 1 } });
  expect((await workspace('list', '--json')).out).toContain(NEW_ID);
  expect(await workspace('delete', NEW_ID, '--confirm', 'Acme')).toMatchObject({ code: 0 });
  expect((await workspace('list', '--json')).out).not.toContain(NEW_ID);
  expect((await workspace('list', '--json')).out).toContain(id);
});

it('says what is wrong with a file and a workspace', async () => {
  const file = path.join(folder, 'text.zip');
  await writeFile(file, 'no zip');
  expect(await workspace('import', file)).toMatchObject({ code: 1, err: expect.stringContaining('complete zip file') });
  expect(await workspace('delete', NEW_ID, '--confirm', 'x')).toMatchObject({
    code: 1,
    err: expect.stringContaining(`There is no workspace ${NEW_ID}.`),
  });
});
