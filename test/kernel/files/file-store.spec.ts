import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { CHUNK_BYTES, CorruptFileError, cutIntoChunks, FileCipher } from '#kernel/files/file-cipher.js';
import { FileStore } from '#kernel/files/file-store.js';
import { FileSweeper } from '#kernel/files/file.sweeper.js';
import { SecretBox, parseSecretKeys } from '#kernel/secrets/secret-box.js';
import { rotateWorkspaceSecrets } from '#plugin-host/connections/rotate-secrets.js';
import { type Client, startTestHub, TEST_KEYS, type TestHub } from '../../support/hub.js';

const SECRET_TEXT = 'ada.lovelace@acme.io is only here in plain text';
const csv = { name: 'people.csv', mediaType: 'text/csv', expiresInMs: 3_600_000 };

async function* streamOf(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

describe.each(['disk', 'postgres'] as const)('files in %s', storage => {
  let dataDir: string;
  let hub: TestHub;
  let client: Client;
  let files: FileStore;
  const owner = () => ({ workspaceId: client.workspaceId, plugin: 'acme' });
  const rows = async (sql: string) => (await hub.database.pool.query(sql)).rows as Record<string, unknown>[];
  const read = async (id: string, from?: number, to?: number) =>
    buffer((await files.open(owner(), id, from, to)) ?? streamOf());
  const storedBytes = async (): Promise<Buffer> => {
    if (storage === 'postgres') {
      return Buffer.concat((await rows('SELECT content FROM file_chunks')).map(({ content }) => content as Buffer));
    }
    const folder = join(dataDir, 'files', client.workspaceId);
    return Buffer.concat(await Promise.all((await readdir(folder)).map(name => readFile(join(folder, name)))));
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'rapport-files-'));
    hub = await startTestHub({
      FILES: storage,
      DATA_DIR: dataDir,
      QUOTAS: 'starter.storage_mb=1',
      MAX_FILE_MB: 'growth=1',
    });
    files = hub.app.get(FileStore, { strict: false });
  });
  beforeEach(async () => {
    client = await hub.workspace();
  });
  afterAll(async () => {
    await hub?.end();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('returns every byte from any offset', async () => {
    const content = randomBytes(2 * CHUNK_BYTES + 1_234);
    const parts = [content.subarray(0, 10), content.subarray(10, CHUNK_BYTES + 7), content.subarray(CHUNK_BYTES + 7)];
    const stored = await files.write(owner(), csv, streamOf(...parts));
    expect(stored).toMatchObject({
      name: 'people.csv',
      mediaType: 'text/csv',
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    expect(await files.find(owner(), stored.id)).toEqual(stored);
    for (const from of [0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, 2 * CHUNK_BYTES + 5, content.length, content.length + 9]) {
      expect((await read(stored.id, from)).equals(content.subarray(from))).toBe(true);
    }
    expect((await read(stored.id, 5, CHUNK_BYTES + 5)).equals(content.subarray(5, CHUNK_BYTES + 5))).toBe(true);
  });

  it('stores an empty file', async () => {
    const { id } = await files.write(owner(), csv, streamOf());
    expect([await files.find(owner(), id), (await read(id)).length]).toMatchObject([{ bytes: 0 }, 0]);
  });

  it('has no plain text at rest, in neither content nor key', async () => {
    await files.write(owner(), csv, streamOf(Buffer.from(SECRET_TEXT.repeat(100))));
    const stored = await storedBytes();
    expect(stored.length).toBeGreaterThan(SECRET_TEXT.length * 100);
    expect(stored.includes('ada.lovelace')).toBe(false);
    const [row] = await rows(`SELECT sealed_key FROM files WHERE workspace_id = '${client.workspaceId}'`);
    expect(row!['sealed_key']).toMatch(/^sealed:test:/);
  });

  it('hides files from other plugins and workspaces', async () => {
    const { id } = await files.write(owner(), csv, streamOf(Buffer.from('x')));
    const others = [
      { ...owner(), plugin: 'other' },
      { ...owner(), workspaceId: (await hub.workspace()).workspaceId },
    ];
    for (const other of others) {
      expect(await files.find(other, id)).toBeUndefined();
      expect(await files.open(other, id)).toBeUndefined();
      await files.delete(other, id);
    }
    expect(await files.find(owner(), 'no-id')).toBeUndefined();
    expect(await files.find(owner(), id)).toMatchObject({ bytes: 1 });
  });

  it('leaves nothing of a stream that breaks off', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(CHUNK_BYTES + 1);
      throw new Error('the sender hung up');
    }
    await expect(files.write(owner(), csv, broken())).rejects.toThrow('the sender hung up');
    expect(await rows(`SELECT id FROM files WHERE workspace_id = '${client.workspaceId}'`)).toEqual([]);
    if (storage === 'disk') expect((await storedBytes()).length).toBe(0);
    else expect(await rows(`SELECT FROM file_chunks WHERE workspace_id = '${client.workspaceId}'`)).toEqual([]);
  });

  it('deletes a file with its content, and frees the quota', async () => {
    client = await hub.workspace('starter');
    const bytes = Buffer.alloc(600_000);
    const { id } = await files.write(owner(), csv, streamOf(bytes));
    await files.delete(owner(), id);
    expect(await files.find(owner(), id)).toBeUndefined();
    expect(await rows(`SELECT FROM file_chunks WHERE workspace_id = '${client.workspaceId}'`)).toEqual([]);
    expect(await files.write(owner(), csv, streamOf(bytes))).toMatchObject({ bytes: 600_000 });
  });

  it('refuses what exceeds the file size of the plan or its storage', async () => {
    client = await hub.workspace('growth');
    const tooLarge = files.write(owner(), csv, streamOf(Buffer.alloc(1_000_001)));
    await expect(tooLarge).rejects.toMatchObject({ code: 'too_large', extra: { max: 1_000_000 } });
    client = await hub.workspace('starter');
    await client.get('/v2/workspace/status');
    const tooMuch = files.write(owner(), csv, streamOf(Buffer.alloc(1_000_001)));
    await expect(tooMuch).rejects.toMatchObject({ code: 'quota_exceeded', extra: { quota: 'storage_mb' } });
  });

  it('deletes expired files and abandoned uploads', async () => {
    const current = await files.write(owner(), csv, streamOf(Buffer.from('current')));
    const expired = await files.write(owner(), { ...csv, expiresInMs: -1 }, streamOf(Buffer.from('old')));
    expect(await files.find(owner(), expired.id)).toBeUndefined();
    expect(await hub.app.get(FileSweeper, { strict: false }).sweep()).toBe(1);
    expect(await rows(`SELECT id FROM files WHERE workspace_id = '${client.workspaceId}'`)).toEqual([
      { id: current.id },
    ]);
  });

  it('stays readable when its key is sealed again', async () => {
    const { id } = await files.write(owner(), csv, streamOf(Buffer.from(SECRET_TEXT)));
    const keys = parseSecretKeys(`new:${Buffer.alloc(32, 9).toString('base64')},${TEST_KEYS}`);
    if (typeof keys === 'string') throw new Error(keys);
    const { work } = hub.database;
    const rotated = await rotateWorkspaceSecrets(work, new SecretBox(keys), client.workspaceId, { dryRun: false });
    expect(rotated).toEqual({ read: 1, resealed: 1 });
    await expect(files.open(owner(), id)).rejects.toThrow('SECRET_KEYS does not hold');
    await hub.database.pool.query('DELETE FROM files WHERE id = $1', [id]);
  });
});

describe('the cipher of a file', () => {
  it('refuses a chunk that was changed, moved or cut off', async () => {
    const cipher = new FileCipher('f1', FileCipher.generateKey());
    const sealed = cipher.encrypt(3, Buffer.from('abc'));
    expect(cipher.decrypt(3, sealed).toString()).toBe('abc');
    const changed = Buffer.from(sealed);
    changed[0]! ^= 1;
    for (const [position, bytes] of [
      [3, changed],
      [4, sealed],
      [3, sealed.subarray(1)],
      [3, Buffer.alloc(3)],
    ] as const) {
      expect(() => cipher.decrypt(position, bytes)).toThrow(CorruptFileError);
    }
  });

  it('cuts streams into chunks of one size', async () => {
    const sizes: number[] = [];
    for await (const chunk of cutIntoChunks(streamOf(Buffer.alloc(CHUNK_BYTES * 2 + 1), Buffer.alloc(9)))) {
      sizes.push(chunk.length);
    }
    expect(sizes).toEqual([CHUNK_BYTES, CHUNK_BYTES, 10]);
  });
});
