import { Module } from '@nestjs/common';
import { ConnectionsModule } from '#plugin-host/connections/connections.module.js';
import { FactsModule } from '../facts/facts.module.js';
import { OnboardingService } from './onboarding.service.js';
import { StatusService } from './status.service.js';
import { WorkspaceController } from './workspace.controller.js';
import { WorkspaceTools } from './workspace.tools.js';

/** Provides the endpoints and tools of workspace status and profile. */
@Module({
  imports: [FactsModule, ConnectionsModule],
  controllers: [WorkspaceController],
  providers: [StatusService, OnboardingService, WorkspaceTools],
})
export class WorkspaceModule {}
