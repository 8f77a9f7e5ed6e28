import { Global, Module } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { EgressClients } from '../egress/egress.client.js';
import { llmAccess, LlmClient } from './llm.client.js';

/** Makes the {@link LlmClient} injectable everywhere; see `isConfigured`. */
@Global()
@Module({
  providers: [
    {
      provide: LlmClient,
      useFactory: (egress: EgressClients, { llm }: Env) => new LlmClient(egress.for(llmAccess(llm)), llm),
      inject: [EgressClients, ENV],
    },
  ],
  exports: [LlmClient],
})
export class LlmModule {}
