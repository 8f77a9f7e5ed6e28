import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { FactsModule } from '../facts/facts.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { ContextController } from './context.controller.js';
import { ContextService } from './context.service.js';
import { ContextTools } from './context.tools.js';
import { ContextSourcesService } from './context-sources.service.js';

/** Provides the context endpoint and tool. */
@Module({
  imports: [IdentityModule, AccountsModule, FactsModule],
  controllers: [ContextController],
  providers: [ContextService, ContextSourcesService, ContextTools],
  exports: [ContextService],
})
export class ContextModule {}
