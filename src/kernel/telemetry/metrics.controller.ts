import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Registry } from 'prom-client';
import { Public } from '#kernel/auth/public.decorator.js';
import { METRICS } from './metrics.module.js';
import { getProcessMetrics } from './process.metrics.js';

/** Serves all metrics in the text format of Prometheus. */
@Public()
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(@Inject(METRICS) private readonly registry: Registry) {}

  @Get()
  @Header('content-type', Registry.PROMETHEUS_CONTENT_TYPE)
  async metrics(): Promise<string> {
    const texts = await Promise.all([getProcessMetrics().metrics(), this.registry.metrics()]);
    return texts.join('\n');
  }
}
