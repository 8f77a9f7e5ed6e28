import { Global, Module } from '@nestjs/common';
import { Registry } from 'prom-client';

/** Injection token of the registry (prom-client) that every counter and gauge of this process belongs to. */
export const METRICS = Symbol.for('rapport:metrics');

/** Makes one metrics registry per application injectable everywhere by {@link METRICS}. */
@Global()
@Module({
  providers: [{ provide: METRICS, useFactory: () => new Registry() }],
  exports: [METRICS],
})
export class MetricsModule {}
