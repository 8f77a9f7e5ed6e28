// Makes the secrets of this installation at its first run and leaves existing ones alone. Every folder is a volume of
// its own, which only the containers that need it can see; inside it the files are readable to whoever runs there.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = process.argv[2] ?? '/secrets';
const secret = () => randomBytes(32).toString('hex');

const owner = secret();
const redis = secret();
const folders = {
  postgres: { superuser_password: secret(), owner_password: owner },
  redis: {
    password: redis,
    'redis.conf': [`requirepass ${redis}`, 'appendonly yes', 'maxmemory-policy noeviction', 'dir /data', ''].join('\n'),
  },
  hub: {
    secret_keys: `k1:${randomBytes(32).toString('base64')}`,
    database_url: `postgres://rapport:${owner}@postgres:5432/rapport`,
    redis_url: `redis://:${redis}@redis:6379`,
  },
};

// The hub's folder comes last and its last file marks the end: a run that was cut short starts again from nothing.
const done = join(root, 'hub', 'redis_url');
if (existsSync(done)) console.log('The secrets of this installation are there.');
else {
  for (const [folder, files] of Object.entries(folders)) {
    mkdirSync(join(root, folder), { recursive: true });
    for (const [name, text] of Object.entries(files)) keep(join(root, folder, name), text);
  }
  console.log('New secrets have been made.');
}

function keep(file, text) {
  writeFileSync(`${file}.new`, text, { mode: 0o444, flush: true });
  renameSync(`${file}.new`, file);
}
