import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { prepareVectors } from '#graph/notes/embedder/vectors.schema.js';
import { refuseStrangersEarly } from '#kernel/auth/early-refusal.js';
import { KeyRing } from '#kernel/auth/key-ring.service.js';
import type { Env } from '#kernel/config/env.js';
import { type Database, openDatabase } from '#kernel/db/database.js';
import type { DatabaseServer } from '#kernel/db/database-server.js';
import { createHttpApp } from '#kernel/http/http.js';
import { serveOperatorsOnly } from '#kernel/http/operators-only.js';
import { ReadinessProbes } from '#kernel/http/readiness-probes.js';
import { drain } from '#kernel/http/shutdown.js';
import { refuseWrongMethods } from '#kernel/http/wrong-method.js';
import { unfoldAnswers } from '#kernel/idempotency/answered.hook.js';
import { mcpErrorShape } from '#kernel/mcp/mcp.errors.js';
import { guardOrigins } from '#kernel/mcp/origin.guard.js';
import { mcpChallenge } from '#kernel/oauth/metadata.js';
import { oauthAddresses } from '#kernel/oauth/oauth.addresses.js';
import { OAuthDoor } from '#kernel/oauth/oauth.door.js';
import { openOAuthDoor } from '#kernel/oauth/oauth.routes.js';
import { takeUploads } from '#kernel/plugins/doors/upload.js';
import { InboundDoor } from '#kernel/plugins/inbound/inbound.door.js';
import { openInboundDoor } from '#kernel/plugins/inbound/inbound.routes.js';
import { QueueHealth } from '#kernel/queue/queue.health.js';
import type { Log } from '#kernel/telemetry/logger.js';
import { AppModule } from './app.module.js';
import { schema } from './schema.js';

/** A running hub. */
export interface Hub {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly app: NestFastifyApplication;
  readonly database: Database;
  /** Answers the requests in flight, lets jobs finish, closes everything. Safe to call twice. */
  close(): Promise<void>;
}

/** What a start may bring along. */
export interface StartOptions {
  /** The database server, if it is being started already. */
  readonly server?: Promise<DatabaseServer> | undefined;
  /** Called with the whole application built and nobody served yet. */
  readonly beforeListening?: (database: Database) => Promise<void>;
}

/** Opens the database, builds the application and listens. What was opened is closed again when a step fails. */
export async function startHub(env: Env, log: Log, { server, beforeListening }: StartOptions = {}): Promise<Hub> {
  const database = await openDatabase(env, schema, log, server);
  let app: NestFastifyApplication | undefined;
  try {
    if (env.embeddings) await prepareVectors(database.pool);
    app = await createApp(env, log, database);
    await beforeListening?.(database);
    await listen(app, env);
    return runningHub(app, database);
  } catch (error) {
    await app?.close();
    await database.close();
    throw error;
  }
}

async function listen(app: NestFastifyApplication, { port, host }: Env): Promise<void> {
  try {
    await app.listen(port, host);
  } catch (error) {
    const why = whyNotListening(error, port, host);
    throw why === undefined ? error : new Error(why, { cause: error });
  }
}

function whyNotListening(error: unknown, port: number, host: string): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `port ${port} of ${host} is taken; set PORT to another one.`;
  if (code === 'EACCES') return `port ${port} is for administrators only; set PORT to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is no address of this machine; set HOST to one, or to 0.0.0.0 for all of them.`;
  return undefined;
}

async function runningHub(app: NestFastifyApplication, database: Database): Promise<Hub> {
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= drain(app).then(() => database.close()));
  return { url: await app.getUrl(), app, database, close };
}

/** The application over an open database, not listening. */
export async function createApp(env: Env, log: Log, database: Database): Promise<NestFastifyApplication> {
  const mcpShape = { ...mcpErrorShape, challenge: mcpChallenge(oauthAddresses(env.publicUrl)) };
  const app = await createHttpApp(AppModule.with(env, database), { env, log, errorShapes: [mcpShape] });
  const fastify = app.getHttpAdapter().getInstance();
  guardOrigins(fastify, { publicUrl: env.publicUrl });
  if (env.role === 'worker') serveOperatorsOnly(fastify);
  refuseStrangersEarly(fastify, app.get(KeyRing, { strict: false }));
  refuseWrongMethods(fastify);
  unfoldAnswers(fastify);
  takeUploads(fastify);
  openInboundDoor(fastify, app.get(InboundDoor, { strict: false }));
  openOAuthDoor(fastify, app.get(OAuthDoor, { strict: false }));
  const queue = app.get(QueueHealth, { strict: false });
  app.get(ReadinessProbes, { strict: false }).add('queue', () => queue.check());
  await app.init();
  return app;
}
