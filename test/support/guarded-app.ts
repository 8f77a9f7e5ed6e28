import { Controller, Get, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AuthModule } from '#kernel/auth/auth.module.js';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller, Public, Scopes } from '#kernel/auth/caller.guard.js';
import { ConfigModule } from '#kernel/config/config.module.js';
import { readEnv } from '#kernel/config/env.js';
import type { Database } from '#kernel/db/database.js';
import { DatabaseModule } from '#kernel/db/database.module.js';
import { createHttpApp } from '#kernel/http/http.adapter.js';
import { HttpModule } from '#kernel/http/http.module.js';
import { unwrapResponses } from '#kernel/http/response.hook.js';
import { LimitsModule } from '#kernel/limits/limits.module.js';
import { QuotasModule } from '#kernel/quotas/quotas.module.js';
import { createLogger } from '#kernel/telemetry/logger.js';
import { MetricsModule } from '#kernel/telemetry/metrics.module.js';

/** Routes that say which scopes they need in every way there is. */
@Controller('probe')
class ProbeController {
  @Get('caller')
  caller(@CurrentCaller() caller: Caller): Caller {
    return caller;
  }

  @Get()
  read(): object {
    return {};
  }

  @Post('write')
  write(): object {
    return {};
  }

  @Post('search')
  @Scopes('read')
  search(): object {
    return {};
  }

  @Get('hidden')
  @Scopes('read', 'internal')
  hidden(): object {
    return {};
  }

  @Post('any')
  @Scopes()
  any(): object {
    return {};
  }

  @Get('open')
  @Public()
  open(): object {
    return {};
  }
}

/** The guard, the API key routes and some probes over a database, listening on a free port. */
export async function startGuardedApp(database: Database): Promise<{ app: NestFastifyApplication; url: string }> {
  const env = readEnv({ PORT: '0', RATE_LIMITS: '0', PUBLIC_RATE_LIMIT: '0' });
  @Module({
    imports: [
      ConfigModule.forRoot(env),
      DatabaseModule.forRoot(database),
      MetricsModule,
      AuthModule,
      LimitsModule,
      QuotasModule,
      HttpModule,
    ],
    controllers: [ProbeController],
  })
  class GuardedApp {}
  const app = await createHttpApp(GuardedApp, { env, log: createLogger('silent') });
  unwrapResponses(app.getHttpAdapter().getInstance());
  await app.listen(0, '127.0.0.1');
  return { app, url: await app.getUrl() };
}
