import { Writable } from 'node:stream';
import { type CanActivate, type ExecutionContext, Global, Module, type Type } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '#kernel/auth/caller.js';
import '#kernel/auth/caller.guard.js';
import { ConfigModule } from '#kernel/config/config.module.js';
import { readEnv } from '#kernel/config/env.js';
import type { ErrorFormatter } from '#kernel/errors/error-response.js';
import { HttpModule } from '#kernel/http/http.module.js';
import { createHttpApp } from '#kernel/http/http.adapter.js';
import { SharedCounters } from '#kernel/limits/shared-counters.js';
import { WorkspaceRateLimiter } from '#kernel/limits/rate-limit.guard.js';
import { createLogger } from '#kernel/telemetry/logger.js';
import { MetricsModule } from '#kernel/telemetry/metrics.module.js';
import { LocalUsageStore } from '../../support/local-usage.store.js';

/** Who calls in these tests: whoever sends `x-caller: <key id>/<plan>` or `x-caller: <key id>/<plan>/<workspace>`. */
class CallerByHeader implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const [keyId, plan, workspaceId = 'w-1'] = String(request.headers['x-caller'] ?? '').split('/');
    if (keyId && plan) {
      const actor = { kind: 'key', id: keyId } as const;
      request.caller = { workspaceId, actor, plan: plan as Caller['plan'], scopes: ['read'] };
    }
    return true;
  }
}

@Module({ providers: [{ provide: APP_GUARD, useClass: CallerByHeader }] })
class CallerModule {}

/** Limits that are counted in this process only, since there is no database. */
@Global()
@Module({
  providers: [
    WorkspaceRateLimiter,
    { provide: SharedCounters, useFactory: () => new SharedCounters(new LocalUsageStore()) },
  ],
  exports: [WorkspaceRateLimiter],
})
class LocalLimitsModule {}

export interface Fixture {
  readonly app: NestFastifyApplication;
  readonly url: string;
  readonly port: number;
  /** The lines of the log so far. */
  lines(): Record<string, unknown>[];
  close(): Promise<void>;
}

export interface FixtureOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly level?: string;
  readonly errorShapes?: readonly ErrorFormatter[];
}

/** An application with these controllers over real HTTP, and its log in memory. */
export async function startFixture(
  controllers: Type[],
  { env: settings = {}, level = 'info', errorShapes: errorFormatters = [] }: FixtureOptions = {},
): Promise<Fixture> {
  const env = readEnv({ PORT: '3000', RATE_LIMITS: '0', PUBLIC_RATE_LIMIT: '0', ...settings });
  @Module({
    imports: [ConfigModule.forRoot(env), MetricsModule, LocalLimitsModule, CallerModule, HttpModule],
    controllers,
  })
  class Root {}
  const written: string[] = [];
  const log = createLogger(
    level,
    new Writable({
      write(chunk, _, done) {
        written.push(String(chunk));
        done();
      },
    }),
  );
  const app = await createHttpApp(Root, { env, log, errorFormatters });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return {
    app,
    url,
    port: Number(new URL(url).port),
    lines: () => written.map(line => JSON.parse(line)),
    close: () => app.close(),
  };
}

/** Sends JSON and gives status, headers and body of the answer. */
export async function send(url: string, init: RequestInit & { json?: unknown } = {}) {
  const { json, ...rest } = init;
  const answer = await fetch(url, {
    ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
    ...rest,
    headers: { 'content-type': 'application/json', ...rest.headers },
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: text === '' ? undefined : parsed(text) };
}

function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
