import 'reflect-metadata';
import { BadSettings, readEnv } from '#kernel/config/env.js';
import { closeOnSignals } from '#kernel/http/shutdown.js';
import { openLog } from '#kernel/telemetry/logger.js';
import { welcome } from './first-start.js';
import { startHub } from './hub.js';

try {
  const env = readEnv(process.env);
  const log = openLog(env.logLevel);
  const hub = await startHub(env, log);
  closeOnSignals({ close: hub.close, log });
  await welcome(hub, env);
} catch (error) {
  console.error(sentenceOf(error));
  process.exit(1);
}

/** What ends a start is said in words; a stack is for what nobody foresaw. */
function sentenceOf(error: unknown): string {
  if (error instanceof BadSettings) return `Rapport cannot start with these settings:\n${error.message}`;
  return error instanceof Error ? `Rapport cannot start: ${error.message}` : String(error);
}
