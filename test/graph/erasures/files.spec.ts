import { createMentionMatcher } from '#domain/erasure/mentions.js';
import { FileStore } from '#kernel/files/file-store.js';
import { createFilesPhase } from '#graph/erasures/own-records.phases.js';
import { FILE_WINDOW_BYTES } from '#graph/erasures/stored-files.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

const MEBIBYTE = 1024 * 1024;

let hub: TestHub;
let client: Client;
let files: FileStore;

beforeAll(async () => {
  hub = await startTestHub({ FILES: 'postgres' });
  client = await hub.workspace();
  files = hub.app.get(FileStore, { strict: false });
});
afterAll(() => hub?.end());

const store = async (name: string, content: Buffer | string): Promise<void> => {
  const stream = async function* () {
    yield Buffer.from(content as string);
  };
  const owner = { workspaceId: client.workspaceId, plugin: 'acme' };
  await files.write(owner, { name, mediaType: 'text/csv', expiresInMs: 3_600_000 }, stream());
};

it('the erasure of a person deletes files that mention them or cannot be searched, and no others', async () => {
  const filler = 'grace@acme.io,Grace\n'.repeat(5 * 52_429);
  expect(filler.length).toBeGreaterThan(5 * MEBIBYTE);
  await store('others.csv', filler);
  await store('mentioned at the end.csv', `${filler}ada@acme.io,Ada\n`);
  const boundary = FILE_WINDOW_BYTES - Math.floor('ada@acme.io'.length / 2);
  await store('across windows.csv', `${' '.repeat(boundary)}ada@acme.io${' '.repeat(MEBIBYTE)}`);
  await store('utf-16.csv', Buffer.from('\ufeffemail\tADA@acme.io\r\n', 'utf16le'));
  await store('utf-16 of others.csv', Buffer.from('\ufeffemail\tgrace@acme.io\r\n', 'utf16le'));
  await store('cp1252.csv', Buffer.from('München;ada@acme.io', 'latin1'));
  await store('list of ada@acme.io.csv', 'grace@acme.io');
  await store('table.xlsx', Buffer.from('PK\u0003\u0004\u0000\u0000'));
  const matcher = createMentionMatcher({
    emails: ['ada@acme.io'],
    profiles: [],
    phones: [],
    names: [],
    externalIds: [],
  });
  const phase = createFilesPhase(files);
  let deleted = 0;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const at = cursor ?? null;
    const step = await hub.database.work.erase(client.workspaceId, tx =>
      phase.run(tx, { ids: [], matcher, requestedAt: 0 }, at),
    );
    deleted += step.counts.files_deleted ?? 0;
    cursor = step.cursor;
  }
  const { rows } = await hub.database.pool.query<{ name: string }>('SELECT name FROM files ORDER BY name');
  expect(rows.map(({ name }) => name)).toEqual(['others.csv', 'utf-16 of others.csv']);
  expect(deleted).toBe(6);
  expect((await hub.database.pool.query('SELECT DISTINCT file_id FROM file_chunks')).rows).toHaveLength(2);
});
