import { Inject, Module, type OnModuleInit, Optional } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Registry } from 'prom-client';
import type { Database } from '#kernel/db/database.js';
import { DATABASE } from '#kernel/db/database.module.js';
import { METRICS } from '#kernel/telemetry/metrics.module.js';
import { MetricsController } from '#kernel/telemetry/metrics.controller.js';
import { measurePool } from '#kernel/telemetry/http.metrics.js';
import { HealthController } from './health.controller.js';
import { DocsService } from './openapi/docs.service.js';
import { LlmsController } from './openapi/llms.controller.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { RateLimitGuard } from '../limits/rate-limit.guard.js';
import { MonitoringAccess } from './monitoring-access.js';
import { MonitoringServer } from './monitoring.server.js';
import { ReadinessService } from './shutdown.js';
import { UnknownQueryParamsGuard } from './request-validation.js';

/**
 * Provides the common routes (health, metrics, OpenAPI, documentation as text), the rate limit and the check for unknown
 * query parameters. Import it after the module whose guard sets the caller: guards run in the order of their modules.
 */
@Module({
  controllers: [HealthController, MetricsController, OpenApiController, LlmsController],
  providers: [
    DocsService,
    ReadinessService,
    MonitoringAccess,
    MonitoringServer,
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_GUARD, useClass: UnknownQueryParamsGuard },
  ],
  exports: [ReadinessService, DocsService],
})
export class HttpModule implements OnModuleInit {
  constructor(
    private readonly probes: ReadinessService,
    @Inject(METRICS) private readonly registry: Registry,
    @Optional() @Inject(DATABASE) private readonly database: Database | undefined,
  ) {}

  onModuleInit(): void {
    if (!this.database) return;
    const { pool } = this.database;
    this.probes.addProbe('database', () => pool.query('SELECT 1'));
    measurePool(this.database, this.registry);
  }
}
