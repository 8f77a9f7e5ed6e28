import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import * as yauzl from 'yauzl';
import type { AuditResponse } from '#graph/audit/audit.service.js';
import { EXPORTED_TABLES } from '#graph/exports/exported-tables.js';
import { deleteWorkspace } from '#graph/exports/workspace-deletion.js';
import type { ExportManifest } from '#graph/exports/workspace-export.service.js';
import { ImportError, importWorkspace } from '#graph/exports/workspace-import.js';
import { listColumns } from '../../support/database/all-rows.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { OPERATOR } from '#domain/actor/actor.js';
import { issueKey } from '#kernel/auth/api-keys.service.js';
import { parseSecretKeys, SecretBox, type SecretKey } from '#kernel/secrets/secret-box.js';
import { account, type ErrorBody, event, record, state } from '../../support/graph/graph-calls.js';
import { clientOf, type Client, startTestHub, TEST_KEYS, type TestHub } from '../../support/hub.js';
import { SuppressionService } from '#graph/identity/suppression.service.js';
import { finishErasure, tryErase } from '../../support/graph/erasure-calls.js';
import { MARK, markedTenant } from '../../support/graph/two-tenants.js';

const boxOf = (keys: string) => new SecretBox(parseSecretKeys(keys) as SecretKey[]);
const openBox = async () => boxOf(TEST_KEYS);
const NEW_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

let hub: TestHub;
let acme: Client;
let folder: string;

beforeAll(async () => {
  hub = await startTestHub();
  folder = await mkdtemp(path.join(tmpdir(), 'rapport-export-'));
});
beforeEach(async () => {
  ({ victim: acme } = await markedTenant(hub));
});
afterAll(async () => {
  await hub?.end();
  await rm(folder, { recursive: true, force: true });
});

async function download(body: object = {}): Promise<{ status: number; file: string; bytes: Buffer }> {
  const response = await fetch(`${hub.url}/v2/workspace/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const file = path.join(folder, `${Math.random()}.zip`);
  await writeFile(file, bytes);
  return { status: response.status, file, bytes };
}

async function unzip(bytes: Buffer): Promise<Map<string, string>> {
  const open = promisify<Buffer, yauzl.Options, yauzl.ZipFile>(yauzl.fromBuffer);
  const zip = await open(bytes, { lazyEntries: true });
  const files = new Map<string, string>();
  await new Promise<void>((resolve, reject) => {
    zip.on('entry', (entry: yauzl.Entry) => {
      zip.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error);
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        files.set(entry.fileName, Buffer.concat(chunks).toString('utf8'));
        zip.readEntry();
      });
    });
    zip.on('end', resolve);
    zip.readEntry();
  });
  return files;
}

it('is cut off when a page cannot be read, and the hub goes on', async () => {
  const work = hub.app.get(UnitOfWork, { strict: false });
  const { run } = work;
  let transactions = 0;
  const failFromTheFifth = (...call: Parameters<typeof run>) =>
    ++transactions > 4 ? Promise.reject(HubError.unavailable('The database is away.')) : run.apply(work, call);
  work.run = failFromTheFifth as typeof run;
  await expect(download()).rejects.toThrow('terminated');
  work.run = run;
  expect((await download()).status).toBe(200);
});

const rowsOf = (files: Map<string, string>, table: string) =>
  files
    .get(`${table}.ndjson`)!
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Record<string, unknown>);

/** All imported rows of a workspace as text, without its ID. */
async function rowsInDatabase(workspace: string, exported = workspace): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { name } of EXPORTED_TABLES.filter(({ isImported }) => isImported)) {
    const { rows } = await hub.database.pool.query<{ row: string }>(
      `SELECT row(${await listColumns(hub.database.pool, name)})::text AS row FROM ${name} WHERE workspace_id = $1`,
      [workspace],
    );
    found[name] = rows.map(({ row }) => row.replaceAll(workspace, 'own').replaceAll(exported, 'own')).toSorted();
  }
  return found;
}

it('a workspace is exported as one file of NDJSON per table, with a manifest and without secrets', async () => {
  const { status, bytes } = await download();
  const files = await unzip(bytes);
  expect(status).toBe(200);
  expect([...files.keys()].toSorted()).toEqual(
    ['manifest.json', ...EXPORTED_TABLES.map(({ name }) => `${name}.ndjson`)].toSorted(),
  );
  const manifest = JSON.parse(files.get('manifest.json')!) as ExportManifest;
  expect(manifest).toMatchObject({ format: 1, workspace: { id: acme.workspaceId, plan: 'scale' } });
  for (const [table, count] of Object.entries(manifest.tables)) expect(rowsOf(files, table)).toHaveLength(count);
  expect(rowsOf(files, 'observation_log').some(({ raw }) => JSON.stringify(raw) === `{"secret":"${MARK}raw"}`)).toBe(
    true,
  );
  expect(Object.keys(rowsOf(files, 'api_keys')[0]!)).not.toContain('hash');
  const { events } = (await acme.get<AuditResponse>('/v2/workspace/audit?action=workspace.export')).body;
  expect(events).toMatchObject([{ object: { id: acme.workspaceId } }]);
});

it('every table of a workspace is exported or left out for a reason', async () => {
  const { rows } = await hub.database.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
     WHERE column_name = 'workspace_id' AND table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const left = [
    'outbox',
    'plugin_jobs',
    'inbound_event_ids',
    'usage_counters',
    'file_chunks',
    'provider_authorizations',
  ];
  const exported = EXPORTED_TABLES.map(({ name }) => name);
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...exported, ...left].toSorted());
});

it('an import gives the same rows back, also under another ID, and the graph answers as before', async () => {
  await record(acme, 'ada@acme.com', [
    state('title', null),
    state('city', 'Köln\nDeutz "x"'),
    event('call_held', { value: null, raw: { n: 12345678901234, f: 0.1 } }),
  ]);
  await record(acme, 'ada@acme.io', [state('name', 'Ada')]);
  await acme.post('/v2/entities/merge', { a: 'ada@acme.com', b: 'ada@acme.io' });
  await acme.patch('/v2/workspace/retention', { page_visits: 90 });
  await acme.post('/v2/workspace/trust', { trust: [{ match: 'crm/*', r: 0.5, class: 'reported' }] });
  const { file } = await download();
  const before = await rowsInDatabase(acme.workspaceId);
  const { work } = hub.database;

  const checked = await importWorkspace({ work, openBox }, file, { workspaceId: NEW_ID, dryRun: true });
  expect((await rowsInDatabase(NEW_ID))['entities']).toEqual([]);
  const result = await importWorkspace({ work, openBox }, file, { workspaceId: NEW_ID });
  expect(result).toEqual(checked);
  const after = await rowsInDatabase(NEW_ID, acme.workspaceId);
  const imports = after['audit_events']!.filter(row => row.includes('workspace.import'));
  expect(imports).toHaveLength(1);
  after['audit_events'] = after['audit_events']!.filter(row => !row.includes('workspace.import'));
  expect(after).toEqual(before);

  const { key } = await work.system(tx =>
    issueKey(tx, NEW_ID, { name: 'x', scopes: ['read'], origin: 'admin', createdBy: OPERATOR }),
  );
  const copy = clientOf(hub.url, key, NEW_ID);
  expect((await account(copy, 'ada@acme.io')).claims).toEqual((await account(acme, 'ada@acme.io')).claims);

  await expect(importWorkspace({ work, openBox }, file, { workspaceId: NEW_ID })).rejects.toThrow(ImportError);
  await hub.database.pool.query(`DELETE FROM leads WHERE workspace_id = '${NEW_ID}'`);
  await importWorkspace({ work, openBox }, file, { workspaceId: NEW_ID, resume: true });
  expect((await rowsInDatabase(NEW_ID))['leads']).toEqual(before['leads']);
});

describe('an export of a workspace with an erased person', () => {
  const OTHER_KEYS = `new:${Buffer.alloc(32, 9).toString('base64')}`;
  const COPY_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b18';
  let erasureId: string;

  beforeEach(async () => {
    acme = await hub.workspace();
    await record(acme, 'eve@secret.example', [state('title', 'CFO')]);
    await record(acme, 'ada@acme.com', [event('call_held', { value: 'with Eve, eve@secret.example' })]);
    const { status, body } = await tryErase(acme, 'eve@secret.example');
    expect(status).toBe(202);
    erasureId = body.id!;
  });

  it('keeps the person out of a hub with other keys', async () => {
    const { file } = await download();
    const target = await startTestHub({ SECRET_KEYS: OTHER_KEYS });
    try {
      const { work } = target.database;
      const both = async () => boxOf(`${OTHER_KEYS},${TEST_KEYS}`);
      await expect(importWorkspace({ work, openBox: async () => boxOf(OTHER_KEYS) }, file)).rejects.toThrow(
        'Add the key of the exporting hub to the end of SECRET_KEYS',
      );
      await importWorkspace({ work, openBox: both }, file, { workspaceId: COPY_ID });
      await target.app.get(SuppressionService).refresh();
      const { key } = await work.system(tx =>
        issueKey(tx, COPY_ID, { name: 'x', scopes: ['read', 'write', 'admin'], origin: 'admin', createdBy: OPERATOR }),
      );
      const copy = clientOf(target.url, key, COPY_ID);
      const answer = await copy.post<ErrorBody>('/v2/observations', {
        focus: 'eve@secret.example',
        observations: [state('title', 'CFO')],
      });
      expect(answer).toMatchObject({ status: 409, body: { error: 'identifier_erased' } });
      const { pool } = target.database;
      await finishErasure(target, copy, erasureId);
      const { rows } = await pool.query(`SELECT FROM observations WHERE value::text ~ 'eve@secret'`);
      expect(rows).toEqual([]);
      expect(await sealedBy(target)).toEqual(['new']);
    } finally {
      await target.end();
    }
  });

  async function sealedBy(target: TestHub): Promise<string[]> {
    const { rows } = await target.database.pool.query<{ id: string }>(
      `SELECT DISTINCT split_part(sealed, ':', 2) AS id FROM (
         SELECT sealed FROM erasure_keys UNION ALL SELECT terms FROM erasures WHERE terms IS NOT NULL) AS s`,
    );
    return rows.map(({ id }) => id);
  }

  it('does not hold their identifiers once the erasure is done', async () => {
    await finishErasure(hub, acme, erasureId);
    const files = await unzip((await download()).bytes);
    expect(rowsOf(files, 'erased_identifiers')).toHaveLength(1);
    expect([...files.values()].join('\n')).not.toMatch(/eve@secret/i);
  });
});

it('an interrupted export is resumed by table and key', async () => {
  const all = rowsOf(
    await unzip((await download({ tables: ['observation_log', 'entities'] })).bytes),
    'observation_log',
  );
  const after = [all[1]!['id'] as string];
  const rest = await unzip((await download({ tables: ['observation_log', 'entities'], after })).bytes);
  expect(rowsOf(rest, 'observation_log')).toEqual(all.slice(2));
  expect([...rest.keys()]).toEqual(['observation_log.ndjson', 'entities.ndjson', 'manifest.json']);
  const fields = async (body: object) =>
    (await acme.post<ErrorBody>('/v2/workspace/export', body)).body.details?.map(({ field }) => field);
  expect(await fields({ tables: ['pg_class'] })).toEqual(['tables']);
  expect(await fields({ tables: ['observation_log'], after: ['x'] })).toEqual(['after']);
  expect(await fields({ tables: [] })).toEqual(['tables']);
});

it('a file that is no complete export is refused in a sentence', async () => {
  const { bytes } = await download({ tables: ['entities'] });
  const file = path.join(folder, 'part.zip');
  await writeFile(file, bytes.subarray(0, bytes.length - 40));
  await expect(importWorkspace({ work: hub.database.work, openBox }, file, { dryRun: true })).rejects.toThrow(
    'not a complete zip file',
  );
  await writeFile(file, bytes);
  await expect(
    importWorkspace({ work: hub.database.work, openBox }, file, { workspaceId: acme.workspaceId }),
  ).rejects.toThrow('exists');
});

it('a deleted workspace leaves no row, and others keep theirs', async () => {
  const other = (await markedTenant(hub)).victim;
  const before = await rowsInDatabase(other.workspaceId);
  const { pool } = hub.database;
  const counted = await deleteWorkspace(pool, acme.workspaceId, true);
  expect(counted).toMatchObject({ note_log: 2, leads: 2 });
  expect((await rowsInDatabase(acme.workspaceId))['note_log']).toHaveLength(2);
  await deleteWorkspace(pool, acme.workspaceId, false);
  for (const rows of Object.values(await rowsInDatabase(acme.workspaceId))) expect(rows).toEqual([]);
  const { rows } = await pool.query('SELECT id FROM workspaces WHERE id = $1', [acme.workspaceId]);
  expect(rows).toEqual([]);
  expect((await pool.query("SELECT FROM pg_policies WHERE policyname = 'workspace_deletion'")).rowCount).toBe(0);
  expect(await rowsInDatabase(other.workspaceId)).toEqual(before);
});
