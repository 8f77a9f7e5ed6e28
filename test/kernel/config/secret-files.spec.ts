import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidConfigError } from '#kernel/config/config-errors.js';
import { SECRET_SETTINGS, readEnv } from '#kernel/config/env.js';
import { formatSecretKeys } from '#kernel/secrets/secret-box.js';

const KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
const VALUES = {
  DATABASE_URL: 'postgres://rapport:secret@db/rapport',
  REDIS_URL: 'redis://:secret@redis:6379',
  SECRET_KEYS: KEYS,
  EMBEDDINGS_API_KEY: 'an-embeddings-key',
  LLM_API_KEY: 'an-llm-key',
  OAUTH_CLIENTS: '{"acme-crm":{"client_id":"id-1","client_secret":"secret-1"}}',
  OIDC_CLIENT_SECRET: 'an-oidc-secret',
  METRICS_TOKEN: 'a-token-for-monitoring',
} satisfies Record<(typeof SECRET_SETTINGS)[number], string>;
const MODELS = {
  EMBEDDINGS_URL: 'https://models.test',
  EMBEDDINGS_MODEL: 'e',
  LLM_URL: 'https://models.test',
  LLM_MODEL: 'l',
  OIDC_ISSUER: 'https://login.test',
  OIDC_CLIENT_ID: 'rapport',
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secret-files-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileWith(text: string): Promise<string> {
  const file = join(folder, `${Math.random()}`);
  await writeFile(file, text);
  return file;
}

const reading = (environment: NodeJS.ProcessEnv) => () => readEnv(environment);

it('every secret setting is read from the file that its _FILE variable names, without the last line break', async () => {
  const entries = SECRET_SETTINGS.map(async name => [`${name}_FILE`, await fileWith(`${VALUES[name]}\n`)]);
  const env = readEnv({ ...MODELS, ...Object.fromEntries(await Promise.all(entries)) });
  expect(env).toMatchObject({
    databaseUrl: VALUES.DATABASE_URL,
    redisUrl: VALUES.REDIS_URL,
    embeddings: { apiKey: VALUES.EMBEDDINGS_API_KEY },
    llm: { apiKey: VALUES.LLM_API_KEY },
    oidc: { clientSecret: VALUES.OIDC_CLIENT_SECRET },
  });
  expect(env.oauthClients.get('acme-crm')).toEqual({ clientId: 'id-1', clientSecret: 'secret-1' });
  expect(formatSecretKeys(env.secretKeys!)).toBe(KEYS);
});

it('a setting that is also set, a missing file and an empty one are refused by name', async () => {
  const file = await fileWith(KEYS);
  expect(reading({ SECRET_KEYS: KEYS, SECRET_KEYS_FILE: file })).toThrow(InvalidConfigError);
  expect(reading({ SECRET_KEYS: KEYS, SECRET_KEYS_FILE: file })).toThrow('SECRET_KEYS_FILE: SECRET_KEYS is set too');
  expect(reading({ LLM_API_KEY_FILE: join(folder, 'none') })).toThrow(
    /^LLM_API_KEY_FILE: .*none cannot be read \(ENOENT\)$/,
  );
  expect(reading({ REDIS_URL_FILE: await fileWith('\n') })).toThrow(/^REDIS_URL_FILE: .* is empty$/);
});

it('an empty variable beside the file, as docker compose sets it, counts as absent', async () => {
  const file = await fileWith(KEYS);
  expect(readEnv({ SECRET_KEYS: '', SECRET_KEYS_FILE: file }).secretKeys).toHaveLength(1);
  expect(readEnv({ SECRET_KEYS_FILE: '' }).secretKeys).toBeUndefined();
});

it('a wrong value in a file is named by its setting, and is not repeated', async () => {
  const file = await fileWith('hunter2');
  expect(reading({ DATABASE_URL_FILE: file })).toThrow('DATABASE_URL: must start with postgres://');
  expect(reading({ DATABASE_URL_FILE: file })).not.toThrow(/hunter2/);
});
