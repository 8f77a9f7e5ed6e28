import { BadSettings, type Env, readEnv } from '#kernel/config/env.js';
import type { Database } from '#kernel/db/database.js';
import { databaseServer, type DatabaseServer } from '#kernel/db/database-server.js';
import { whyUnreachable } from '#kernel/db/unreachable.js';
import { type Log, openLog } from '#kernel/telemetry/logger.js';
import { giveBackMemoryAtRest } from '#kernel/telemetry/memory.js';
import type { Welcome } from './first-start.js';

let server: Promise<DatabaseServer> | undefined;
let welcome: Welcome | undefined;
try {
  const env = readEnv(process.env);
  const log = openLog(env.logLevel);
  await untilOthersWork(env, log);
  // Loading these takes as long as making a database, and blocks; so the one goes on beside the other.
  const { startHub } = await import('./hub.js');
  const { closeOnSignals } = await import('#kernel/http/shutdown.js');
  const { Welcome } = await import('./first-start.js');
  const prepare = async (database: Database) => void (welcome = await Welcome.prepare(database, env));
  const hub = await startHub(env, log, { server, beforeListening: prepare });
  closeOnSignals({ close: hub.close, log });
  console.log(welcome!.at(hub.url));
  giveBackMemoryAtRest();
} catch (error) {
  if (welcome?.unheard) console.log(welcome.unheard);
  console.error(sentenceOf(error));
  await (await server?.catch(() => undefined))?.stop();
  process.exit(1);
}

/** Begins to start the database server, and comes back as soon as that is the work of other processes. */
async function untilOthersWork(env: Env, log: Log): Promise<void> {
  const { promise: waiting, resolve } = Promise.withResolvers<void>();
  server = databaseServer(env, log, resolve);
  await Promise.race([waiting, server]);
}

/** What ends a start is said in words; a stack is for what nobody foresaw. */
function sentenceOf(error: unknown): string {
  if (error instanceof BadSettings) return `Rapport cannot start with these settings:\n${error.message}`;
  const why = whyUnreachable(error);
  if (why) return `Rapport cannot start: the database that DATABASE_URL names cannot be reached (${why}).`;
  return error instanceof Error ? `Rapport cannot start: ${error.message}` : String(error);
}
