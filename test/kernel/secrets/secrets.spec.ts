import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidConfigError } from '#kernel/config/config-errors.js';
import { readEnv } from '#kernel/config/env.js';
import { MissingSecretKeyError, openSecretBox } from '#kernel/secrets/open-secret-box.js';

const place = { workspace: 'w', owner: 'c', field: 'api_key' };
const key = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rapport-keys-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

test('beside the embedded database a key is made once, for the owner of the process alone', async () => {
  const env = { secretKeys: undefined, databaseUrl: undefined, dataDir: join(dataDir, 'new') };
  const boxes = await Promise.all([openSecretBox(env), openSecretBox(env), openSecretBox(env)]);
  const sealed = boxes[0]!.seal(place, 'secret');
  for (const box of [...boxes, await openSecretBox(env)]) expect(box.open(place, sealed)).toBe('secret');
  expect((await stat(join(env.dataDir, 'secret.keys'))).mode & 0o777).toBe(0o600);
});

test('a key file that was damaged ends the start, and is left as it is', async () => {
  await writeFile(join(dataDir, 'secret.keys'), 'k1:abc\n');
  const opened = openSecretBox({ secretKeys: undefined, databaseUrl: undefined, dataDir });
  await expect(opened).rejects.toThrow(/secret\.keys: key 1 is not/);
  expect(await readFile(join(dataDir, 'secret.keys'), 'utf8')).toBe('k1:abc\n');
});

test('with a database of its own the hub asks for SECRET_KEYS, and says how one is made', async () => {
  const env = readEnv({ DATABASE_URL: 'postgres://x/y', DATA_DIR: dataDir });
  await expect(openSecretBox(env)).rejects.toThrow(MissingSecretKeyError);
  await expect(openSecretBox(env)).rejects.toThrow(/SECRET_KEYS must be set.*openssl rand -base64 32/s);
  const set = readEnv({ DATABASE_URL: 'postgres://x/y', SECRET_KEYS: key, DATA_DIR: dataDir });
  expect((await openSecretBox(set)).currentKeyId).toBe('k1');
});

test('settings that cannot be read are named, and nothing of a key is repeated', () => {
  const read = () => readEnv({ SECRET_KEYS: `${key},k2:tooshort`, EGRESS_ALLOWLIST: '10.0.0.0/8, what is this' });
  expect(read).toThrow(InvalidConfigError);
  expect(read).toThrow(/SECRET_KEYS: key 2 is not.*\nEGRESS_ALLOWLIST: "what is this" is no host name/s);
  expect(read).not.toThrow(/AQEB/);
});
