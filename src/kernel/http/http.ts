import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Env } from '#kernel/config/env.js';
import { ErrorFilter } from '#kernel/errors/error.filter.js';
import type { ErrorShape } from '#kernel/errors/error-answer.js';
import { measureRequests } from '#kernel/telemetry/http.metrics.js';
import type { Log } from '#kernel/telemetry/logger.js';
import { METRICS } from '#kernel/telemetry/metrics.js';
import { NestLogger } from '#kernel/telemetry/nest.logger.js';
import { createAdapter } from './http.adapter.js';
import { DocsService } from './openapi/docs.service.js';
import { documentOf } from './openapi.js';
import { ValidationPipe } from './validation.js';

/** What an application over HTTP is made with. */
export interface HttpParts {
  readonly env: Env;
  readonly log: Log;
  /** Doors that dress their errors in another protocol. */
  readonly errorShapes?: readonly ErrorShape[];
}

/**
 * Creates the Nest application of a root module on Fastify with everything global in place: errors, validation,
 * request context, log, metrics, security headers, OpenAPI. The root must import {@link HttpModule}. Not listening yet.
 */
export async function createHttpApp(
  root: Type | DynamicModule,
  { env, log, errorShapes = [] }: HttpParts,
): Promise<NestFastifyApplication> {
  const filter = new ErrorFilter(log, errorShapes);
  const app = await NestFactory.create<NestFastifyApplication>(root, createAdapter(env, { log, filter }), {
    logger: new NestLogger(log),
    bodyParser: false,
    abortOnError: false,
  });
  app.useGlobalFilters(filter);
  app.useGlobalPipes(new ValidationPipe());
  measureRequests(app.getHttpAdapter().getInstance(), app.get(METRICS, { strict: false }));
  app.get(DocsService, { strict: false }).describedBy(extend => documentOf(app, extend));
  return app;
}
