import { Global, Module } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { EgressClient } from '#kernel/egress/egress.client.js';
import { LlmClient } from './llm.client.js';

/** Makes the {@link LlmClient} injectable everywhere; `isSet` tells whether the operator has set a model. */
@Global()
@Module({
  providers: [
    {
      provide: LlmClient,
      useFactory: (egress: EgressClient, env: Env) => new LlmClient(egress, env.llm),
      inject: [EgressClient, ENV],
    },
  ],
  exports: [LlmClient],
})
export class LlmModule {}
