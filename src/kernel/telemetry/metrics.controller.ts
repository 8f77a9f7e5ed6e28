import { Controller, Get, Header, Inject, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { Public } from '../auth/caller.guard.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { MonitoringAccess } from '#kernel/http/monitoring-access.js';
import { HUB_PACKAGE } from '#kernel/version.js';
import { METRICS } from './metrics.module.js';

let shared: Registry | undefined;

/**
 * Returns the metrics of this process, shared by all hubs in it: memory, CPU, event loop and garbage collection, and
 * `rapport_build_info`, which is always 1 and has the versions as labels.
 */
function getProcessMetrics(): Registry {
  if (!shared) {
    shared = new Registry();
    collectDefaultMetrics({ register: shared });
    new Gauge({
      name: 'rapport_build_info',
      help: 'Versions of the hub and of Node.js, as labels; the value is always 1.',
      labelNames: ['version', 'node_version'],
      registers: [shared],
    }).set({ version: HUB_PACKAGE.version, node_version: process.versions.node }, 1);
  }
  return shared;
}

/** Renders the metrics of the process and of an application, in the text format of Prometheus. */
export async function renderMetrics(registry: Registry): Promise<string> {
  const texts = await Promise.all([getProcessMetrics().metrics(), registry.metrics()]);
  return texts.join('\n');
}

/** Serves all metrics in the text format of Prometheus. */
@Public()
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(
    @Inject(METRICS) private readonly registry: Registry,
    private readonly monitoring: MonitoringAccess,
  ) {}

  /** Returns 404 to callers that may not monitor the hub. */
  @Get()
  @Header('content-type', Registry.PROMETHEUS_CONTENT_TYPE)
  async metrics(@Req() request: FastifyRequest): Promise<string> {
    if (!this.monitoring.isAllowed(request)) throw new HubError('not_found');
    return renderMetrics(this.registry);
  }
}
