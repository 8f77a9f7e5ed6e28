import { Global, Module } from '@nestjs/common';
import { Registry } from 'prom-client';

/** Injection token of the prom-client registry of an application. */
export const METRICS = Symbol.for('rapport:metrics');

/** Makes the metrics registry of the application injectable everywhere by {@link METRICS}. */
@Global()
@Module({
  providers: [{ provide: METRICS, useFactory: () => new Registry() }],
  exports: [METRICS],
})
export class MetricsModule {}
