import { Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { EgressClient } from './egress.client.js';
import { EgressRules } from './egress-rules.js';

/** Makes the {@link EgressClient} injectable everywhere. */
@Global()
@Module({
  providers: [
    {
      provide: EgressClient,
      useFactory: (env: Env) => new EgressClient(new EgressRules(env.egressAllow, [env.calendarApiUrl, env.llm?.url])),
      inject: [ENV],
    },
  ],
  exports: [EgressClient],
})
export class EgressModule implements OnApplicationShutdown {
  constructor(private readonly client: EgressClient) {}

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}
