import { InvalidConfigError } from '#kernel/config/config-errors.js';
import { type Env, readEnv } from '#kernel/config/env.js';
import type { Database } from '#kernel/db/database.js';
import { type DatabaseServer, findConnectionErrorReason, openDatabaseServer } from '#kernel/db/database-server.js';
import { checkSecretKeys } from '#kernel/secrets/open-secret-box.js';
import { type Log, createLogger } from '#kernel/telemetry/logger.js';
import { collectGarbage } from '#kernel/telemetry/collect-garbage.js';
import type { FirstRun } from './first-run.js';

let server: Promise<DatabaseServer> | undefined;
let firstRun: FirstRun | undefined;
// npm names the script that it runs.
const parentPid = process.env['npm_lifecycle_event'] === 'start' ? process.ppid : undefined;
try {
  const env = readEnv(process.env);
  checkSecretKeys(env);
  const log = createLogger(env.logLevel);
  await startDatabaseEarly(env, log);
  // Loading these modules takes as long as creating a database and blocks, so both run in parallel.
  const { startHub } = await import('./hub.js');
  const { closeOnSignals } = await import('#kernel/http/shutdown.js');
  const { FirstRun } = await import('./first-run.js');
  const prepare = async (database: Database) =>
    void (firstRun = await FirstRun.prepare(database, env, process.stdout.isTTY === true));
  const hub = await startHub(env, log, { server, beforeListening: prepare });
  // No load balancer sends requests to a worker, so it does not wait for one to notice.
  const delayMs = env.role === 'worker' ? 0 : env.shutdownDelayMs;
  closeOnSignals({ announce: hub.announceShutdown, close: hub.close, delayMs, parentPid, log });
  console.log(firstRun!.formatStartMessage(hub.url));
  collectGarbage();
} catch (error) {
  if (firstRun?.credentialsMessage) console.log(firstRun.credentialsMessage);
  console.error(formatStartError(error));
  await (await server?.catch(() => undefined))?.stop();
  process.exit(1);
}

/** Starts the database server, and returns as soon as only other processes have work to do. */
async function startDatabaseEarly(env: Env, log: Log): Promise<void> {
  const { promise: waiting, resolve } = Promise.withResolvers<void>();
  server = openDatabaseServer(env, log, resolve);
  await Promise.race([waiting, server]);
}

/** Formats the error of a failed start; only unexpected errors are shown as they are. */
function formatStartError(error: unknown): string {
  if (error instanceof InvalidConfigError) return `Rapport cannot start with these settings:\n${error.message}`;
  const reason = findConnectionErrorReason(error);
  if (reason) return `Rapport cannot start: the database that DATABASE_URL names cannot be reached (${reason}).`;
  return error instanceof Error ? `Rapport cannot start: ${error.message}` : String(error);
}
