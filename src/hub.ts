import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createVectorSchema } from '#graph/notes/embedder/vectors.schema.js';
import { acceptFocusObjects, FocusInputService } from '#graph/identity/focus-input.service.js';
import { rejectUnauthenticatedEarly } from '#kernel/auth/caller.guard.js';
import { ApiKeyCache } from '#kernel/auth/api-key.lookup.js';
import { SessionAuthenticator } from '#kernel/auth/session-authenticator.js';
import type { Env } from '#kernel/config/env.js';
import { type Database, openDatabase } from '#kernel/db/database.js';
import type { DatabaseServer } from '#kernel/db/database-server.js';
import { createHttpApp } from '#kernel/http/http.adapter.js';
import { restrictToOpsRoutes } from '#kernel/http/monitoring-access.js';
import { ReadinessService, drain } from '#kernel/http/shutdown.js';
import { registerMethodNotAllowed } from '#kernel/http/request.hooks.js';
import { unwrapResponses } from '#kernel/http/response.hook.js';
import { registerWebApp } from '#kernel/web-app/web-app.routes.js';
import { mcpErrorFormatter } from '#kernel/mcp/mcp-responses.js';
import { registerOriginGuard } from '#kernel/mcp/origin-guard.hook.js';
import { buildMcpChallenge } from '#auth-server/oauth/metadata.js';
import { buildOAuthUrls } from '#auth-server/oauth/oauth.urls.js';
import { OAuthHandlers, registerOAuthRoutes } from '#auth-server/oauth/oauth.routes.js';
import { registerUploads } from '#plugin-host/surfaces/routes/upload.js';
import { InboundWebhookService } from '#plugin-host/surfaces/inbound/inbound-webhook.service.js';
import { registerConnectPages } from '#plugin-host/oauth2/connect.routes.js';
import { ProviderAuthorizationsService } from '#plugin-host/oauth2/provider-authorizations.service.js';
import { registerInboundRoutes } from '#plugin-host/surfaces/inbound/inbound.routes.js';
import { QueueHealthIndicator } from '#kernel/queue/queue.health.js';
import { limitPublicRequests, PublicRateLimiter } from '#kernel/limits/public-rate-limiter.js';
import {
  queueHeavyRequests,
  rejectExhaustedWorkspaces,
  WorkspaceRateLimiter,
} from '#kernel/limits/rate-limit.guard.js';
import type { Log } from '#kernel/telemetry/logger.js';
import { AppModule } from './app.module.js';
import { databaseSchema } from './database-schema.js';

/** A running hub. */
export interface Hub {
  /** Base address of the HTTP server, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly app: NestFastifyApplication;
  readonly database: Database;
  /** Makes readiness return 503, while everything is still served. */
  announceShutdown(): void;
  /** Completes the requests in flight, lets jobs finish and closes everything. Safe to call twice. */
  close(): Promise<void>;
}

/** Options of {@link startHub}. */
export interface HubOptions {
  /** The database server, if its start has already begun. By default the one of the settings is started. */
  readonly server?: Promise<DatabaseServer> | undefined;
  /** Called after the application is built and before it listens. */
  readonly beforeListening?: (database: Database) => Promise<void>;
}

/** Opens the database, builds the application and listens. Closes everything it opened if a step fails. */
export async function startHub(env: Env, log: Log, { server, beforeListening }: HubOptions = {}): Promise<Hub> {
  const database = await openDatabase(env, databaseSchema, log, server);
  let app: NestFastifyApplication | undefined;
  try {
    if (env.embeddings) await createVectorSchema(database.pool);
    app = await createApp(env, log, database);
    await beforeListening?.(database);
    await listen(app, env);
    return toRunningHub(app, database);
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
    const reason = findListenErrorReason(error, port, host);
    throw reason === undefined ? error : new Error(reason, { cause: error });
  }
}

function findListenErrorReason(error: unknown, port: number, host: string): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `port ${port} of ${host} is taken; set PORT to another one.`;
  if (code === 'EACCES') return `port ${port} is for administrators only; set PORT to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is not an address of this machine; set HOST to one, or to 0.0.0.0 for all of them.`;
  return undefined;
}

async function toRunningHub(app: NestFastifyApplication, database: Database): Promise<Hub> {
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= drain(app).then(() => database.close()));
  const announceShutdown = () => app.get(ReadinessService, { strict: false }).drain();
  return { url: await app.getUrl(), app, database, announceShutdown, close };
}

/** Builds the application over an open database without listening. */
export async function createApp(env: Env, log: Log, database: Database): Promise<NestFastifyApplication> {
  const mcpShape = { ...mcpErrorFormatter, challenge: buildMcpChallenge(buildOAuthUrls(env.publicUrl)) };
  const app = await createHttpApp(AppModule.forRoot(env, database), { env, log, errorFormatters: [mcpShape] });
  const fastify = app.getHttpAdapter().getInstance();
  registerOriginGuard(fastify, { publicUrl: env.publicUrl });
  if (env.role === 'worker') restrictToOpsRoutes(fastify);
  const limiter = app.get(PublicRateLimiter, { strict: false });
  limitPublicRequests(fastify, limiter);
  rejectUnauthenticatedEarly(fastify, {
    keys: app.get(ApiKeyCache, { strict: false }),
    sessions: app.get(SessionAuthenticator, { strict: false }),
    limiter,
    publicUrl: env.publicUrl,
  });
  rejectExhaustedWorkspaces(fastify, app.get(WorkspaceRateLimiter, { strict: false }));
  queueHeavyRequests(fastify);
  registerMethodNotAllowed(fastify);
  acceptFocusObjects(fastify, app.get(FocusInputService, { strict: false }));
  unwrapResponses(fastify);
  registerUploads(fastify);
  registerInboundRoutes(fastify, app.get(InboundWebhookService, { strict: false }));
  registerConnectPages(
    fastify,
    app.get(ProviderAuthorizationsService, { strict: false }),
    env.publicUrl.startsWith('https:'),
  );
  registerOAuthRoutes(fastify, app.get(OAuthHandlers, { strict: false }));
  if (env.role !== 'worker') await registerWebApp(fastify);
  const queue = app.get(QueueHealthIndicator, { strict: false });
  // A process that serves requests works without the queue: events wait in the database.
  const probe = { isRequired: env.role === 'worker' };
  app.get(ReadinessService, { strict: false }).addProbe('queue', () => queue.check(), probe);
  await app.init();
  return app;
}
