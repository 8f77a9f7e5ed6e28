// npm test: the suites of every folder but the two below, on an embedded PostgreSQL of its own. npm run
// test:reliability: those of that folder, which kill, overload, measure and install. npm run test:browser: those of
// test/browser, in a real browser. npm run test:services: all but the last on the servers that DATABASE_URL and REDIS_URL
// name. Further arguments go to jest, so a path names suites of any folder;
// --inspect and --inspect-brk go to Node, and then all suites run in that one process, without a time limit.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import './build-if-stale.mjs';
import { dropDatabases, openFolder, remove } from './test-run.mjs';

const lane = process.argv[2]?.match(/^--(services|reliability|browser)$/)?.[1] ?? 'quick';
const services = lane === 'services';
const words = process.argv.slice(lane === 'quick' ? 2 : 3);
const inspector = words.filter(word => /^--inspect(?:-brk|-wait)?(?:=|$)/.test(word));
const debugging = inspector.length > 0 ? ['--runInBand', `--testTimeout=${24 * 60 * 60 * 1000}`] : [];
const named = words.filter(word => !word.startsWith('-'));
const allBut = (...left) => ['/node_modules/', ...left].map(pattern => `--testPathIgnorePatterns=${pattern}`);
const folders = {
  quick: allBut('/test/reliability/', '/test/browser/'),
  reliability: ['test/reliability'],
  browser: ['test/browser'],
  services: allBut('/test/browser/'),
}[lane];
// Suites that overload a hub take the processors from those beside them, which then wait longer than usual.
const bounds = lane === 'quick' || debugging.length > 0 ? [] : ['--maxWorkers=2', '--testTimeout=300000'];
const jestWords = [
  ...bounds,
  ...debugging,
  ...(named.length > 0 ? [] : folders),
  ...words.filter(word => !inspector.includes(word)),
];
const { DATABASE_URL, REDIS_URL, ...environment } = process.env;

if (services && !(DATABASE_URL && REDIS_URL)) {
  console.error('test:services needs DATABASE_URL (PostgreSQL with pgvector) and REDIS_URL.');
  process.exit(2);
}

const folder = openFolder();
const databases = `${basename(folder).replaceAll('-', '_').toLowerCase()}_`;
const jest = fileURLToPath(new URL('../node_modules/jest/bin/jest.js', import.meta.url));
const running = spawn(process.execPath, ['--no-warnings', ...inspector, jest, ...jestWords], {
  stdio: 'inherit',
  env: {
    ...environment,
    ...(services ? { RAPPORT_TEST_DATABASE_URL: DATABASE_URL, REDIS_URL } : {}),
    RAPPORT_TEST_LANE: services ? 'services' : 'embedded',
    RAPPORT_TEST_DATABASES: databases,
    TMPDIR: folder,
  },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => running.kill(signal));

running.on('exit', async (code, signal) => {
  remove(folder);
  if (services && code !== 0) await dropDatabases(DATABASE_URL, databases);
  process.exit(code ?? 128 + constants.signals[signal]);
});
