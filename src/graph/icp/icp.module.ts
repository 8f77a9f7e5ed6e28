import { Module } from '@nestjs/common';
import { FactsModule } from '../facts/facts.module.js';
import { ScoreModule } from '../score/score.module.js';
import { IcpExamplesService } from './icp-examples.service.js';
import { IcpController } from './icp.controller.js';
import { IcpService } from './icp.service.js';
import { IcpTools } from './icp.tools.js';

/** Provides the endpoint and tool that build the ICP model. */
@Module({
  imports: [FactsModule, ScoreModule],
  controllers: [IcpController],
  providers: [IcpService, IcpExamplesService, IcpTools],
})
export class IcpModule {}
