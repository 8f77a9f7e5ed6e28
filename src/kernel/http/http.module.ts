import { Inject, Module, type OnModuleInit, Optional } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Registry } from 'prom-client';
import type { Database } from '#kernel/db/database.js';
import { DATABASE } from '#kernel/db/database.module.js';
import { METRICS } from '#kernel/telemetry/metrics.js';
import { MetricsController } from '#kernel/telemetry/metrics.controller.js';
import { measurePool } from '#kernel/telemetry/pool.metrics.js';
import { HealthController } from './health.controller.js';
import { DocsService } from './openapi/docs.service.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { ReadinessProbes } from './readiness-probes.js';
import { StrayQueryGuard } from './stray-query.guard.js';

/**
 * The routes that every hub has (health, metrics, OpenAPI), the rate limit, and no query where none is read. Import it
 * after the module whose guard knows the caller: guards run in the order of their modules.
 */
@Module({
  controllers: [HealthController, MetricsController, OpenApiController],
  providers: [
    DocsService,
    ReadinessProbes,
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_GUARD, useClass: StrayQueryGuard },
  ],
  exports: [ReadinessProbes, DocsService],
})
export class HttpModule implements OnModuleInit {
  constructor(
    private readonly probes: ReadinessProbes,
    @Inject(METRICS) private readonly registry: Registry,
    @Optional() @Inject(DATABASE) private readonly database: Database | undefined,
  ) {}

  onModuleInit(): void {
    if (!this.database) return;
    const { pool } = this.database;
    this.probes.add('database', () => pool.query('SELECT 1'));
    measurePool(pool, this.registry);
  }
}
