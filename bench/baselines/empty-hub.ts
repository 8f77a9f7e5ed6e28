import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { IsEmail, IsIn, IsInt, IsString, MaxLength, Min } from 'class-validator';
import { readRecordRequest } from '#graph/observations/record-call.js';
import { rejectUnauthenticatedEarly } from '#kernel/auth/caller.guard.js';
import { ApiKeyCache } from '#kernel/auth/api-key.lookup.js';
import { AuthModule } from '#kernel/auth/auth.module.js';
import { ConfigModule } from '#kernel/config/config.module.js';
import { readEnv } from '#kernel/config/env.js';
import { openDatabase } from '#kernel/db/database.js';
import { DatabaseModule } from '#kernel/db/database.module.js';
import { QuotasModule } from '#kernel/quotas/quotas.module.js';
import { LimitsModule } from '#kernel/limits/limits.module.js';
import { PublicRateLimiter } from '#kernel/limits/public-rate-limiter.js';
import { HttpModule } from '#kernel/http/http.module.js';
import { createHttpApp } from '#kernel/http/http.adapter.js';
import { parseWith } from '#kernel/http/request-validation.js';
import { unwrapResponses } from '#kernel/http/response.hook.js';
import { registerOriginGuard } from '#kernel/mcp/origin-guard.hook.js';
import { createLogger } from '#kernel/telemetry/logger.js';
import { MetricsModule } from '#kernel/telemetry/metrics.module.js';
import { serve } from '../env/serve.ts';

// Node strips types and knows no decorators, so they are called as the functions that they are.

class PersonDto {
  declare name: string;
  declare email: string;
  declare plan: string;
  declare seats: number;
}
for (const [property, rules] of Object.entries({
  name: [IsString(), MaxLength(100)],
  email: [IsEmail()],
  plan: [IsIn(['starter', 'growth', 'scale'])],
  seats: [IsInt(), Min(1)],
})) {
  for (const rule of rules) rule(PersonDto.prototype, property);
}

class EmptyController {
  observations(): object {
    return { ok: true };
  }

  person(): object {
    return { ok: true };
  }
}
decorate('observations', Object, Body(parseWith(readRecordRequest)));
decorate('person', PersonDto, Body());
Controller()(EmptyController);

class EmptyHub {}
const env = readEnv({ ...process.env, PORT: '0' });
const log = createLogger('warn');
const built = new URL('../../dist/database-schema.js', import.meta.url).href;
const { databaseSchema } = (await import(built)) as typeof import('../../src/database-schema.ts');
const database = await openDatabase(env, databaseSchema, log);
Module({
  imports: [
    ConfigModule.forRoot(env),
    DatabaseModule.forRoot(database),
    MetricsModule,
    AuthModule,
    LimitsModule,
    QuotasModule,
    HttpModule,
  ],
  controllers: [EmptyController],
})(EmptyHub);

const app = await createHttpApp(EmptyHub, { env, log });
const fastify = app.getHttpAdapter().getInstance();
registerOriginGuard(fastify, { publicUrl: env.publicUrl });
rejectUnauthenticatedEarly(fastify, {
  keys: app.get(ApiKeyCache, { strict: false }),
  sessions: { getCached: () => undefined, resolve: async () => undefined },
  limiter: app.get(PublicRateLimiter, { strict: false }),
  publicUrl: env.publicUrl,
});
unwrapResponses(fastify);

serve<'open', string>(async () => {
  await app.listen(0, '127.0.0.1');
  return app.getUrl();
});

/** Gives a method a route of its name, and its one parameter a type and a place in the request. */
function decorate(name: 'observations' | 'person', type: unknown, parameter: ParameterDecorator): void {
  const prototype = EmptyController.prototype;
  const method = Object.getOwnPropertyDescriptor(prototype, name)!;
  Reflect.defineMetadata('design:paramtypes', [type], prototype, name);
  parameter(prototype, name, 0);
  for (const decorator of [Post(name), HttpCode(200)]) decorator(prototype, name, method);
}
