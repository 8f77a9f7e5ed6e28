// npm test: every suite on an embedded PostgreSQL of its own. npm run test:services: the same suites on the servers
// that DATABASE_URL and REDIS_URL name. Further arguments go to jest.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import './build-if-stale.mjs';

const [first, ...rest] = process.argv.slice(2);
const services = first === '--services';
const { DATABASE_URL, REDIS_URL, ...environment } = process.env;

if (services && !(DATABASE_URL && REDIS_URL)) {
  console.error('test:services needs DATABASE_URL (PostgreSQL with pgvector) and REDIS_URL.');
  process.exit(2);
}

const jest = fileURLToPath(new URL('../node_modules/jest/bin/jest.js', import.meta.url));
const { status } = spawnSync(process.execPath, ['--no-warnings', jest, ...(services ? rest : process.argv.slice(2))], {
  stdio: 'inherit',
  env: {
    ...environment,
    ...(services ? { RAPPORT_TEST_DATABASE_URL: DATABASE_URL, REDIS_URL } : {}),
    RAPPORT_TEST_LANE: services ? 'services' : 'embedded',
  },
});
process.exit(status ?? 1);
