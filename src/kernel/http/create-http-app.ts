import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Env } from '#kernel/config/env.js';
import { ErrorFilter } from '#kernel/errors/error.filter.js';
import type { ErrorFormatter } from '#kernel/errors/error-response.js';
import { measureRequests } from '#kernel/telemetry/http.metrics.js';
import type { Log } from '#kernel/telemetry/logger.js';
import { METRICS } from '#kernel/telemetry/metrics.module.js';
import { NestLogger } from '#kernel/telemetry/nest-logger.js';
import { createAdapter } from './http.adapter.js';
import { DocsService } from './openapi/docs.service.js';
import { buildOpenApiDocument } from './openapi/openapi-document.js';
import { ReadinessService } from './readiness.service.js';
import { RequestValidationPipe } from './request-validation.pipe.js';
import { closeConnectionsWhileDraining } from './shutdown.js';

/** Options of {@link createHttpApp}. */
export interface HttpOptions {
  readonly env: Env;
  readonly log: Log;
  /** Formatters for paths that use another protocol. */
  readonly errorFormatters?: readonly ErrorFormatter[];
}

/**
 * Creates the Nest application of a root module on Fastify with all global parts: errors, validation, request
 * context, log, metrics, security headers, OpenAPI. The root must import {@link HttpModule}. The application does not
 * listen yet.
 */
export async function createHttpApp(
  root: Type | DynamicModule,
  { env, log, errorFormatters = [] }: HttpOptions,
): Promise<NestFastifyApplication> {
  const filter = new ErrorFilter(log, errorFormatters);
  const app = await NestFactory.create<NestFastifyApplication>(root, createAdapter(env, { log, filter }), {
    logger: new NestLogger(log),
    bodyParser: false,
    abortOnError: false,
  });
  app.useGlobalFilters(filter);
  app.useGlobalPipes(new RequestValidationPipe());
  closeConnectionsWhileDraining(app.getHttpAdapter().getInstance(), app.get(ReadinessService, { strict: false }));
  measureRequests(app.getHttpAdapter().getInstance(), app.get(METRICS, { strict: false }));
  app.get(DocsService, { strict: false }).setDocumentBuilder(extend => buildOpenApiDocument(app, extend));
  return app;
}
