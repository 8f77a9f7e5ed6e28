import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller, Scopes } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { SampleData, SampleDataLoad, SampleDataRemoval } from './sample-data.dto.js';
import {
  type LoadedSampleData,
  type RemovedSampleData,
  SampleDataService,
  type SampleDataState,
} from './sample-data.service.js';

/** Endpoints for invented people and companies, with which a new workspace can be tried. */
@ApiTags('Workspace')
@Controller('v2/workspace/sample-data')
export class SampleDataController {
  constructor(private readonly samples: SampleDataService) {}

  /** Tells whether the sample data is loaded. */
  @Get()
  @Operation({
    id: 'getSampleData',
    summary: 'Get the state of the sample data',
    description: 'Returns whether the invented people and companies of the sample data are in the workspace.',
    response: { type: SampleData, description: 'The state.' },
  })
  read(@CurrentCaller() { workspaceId }: Caller): Promise<SampleDataState> {
    return this.samples.read(workspaceId);
  }

  /** Loads the sample data. */
  @Post()
  @HttpCode(200)
  @Scopes('settings')
  @Operation({
    id: 'loadSampleData',
    summary: 'Load the sample data',
    description:
      'Records invented companies and people with their history, notes and a lead list, so that a new workspace shows ' +
      'what it does. Their sources are called `crm:sample`, `linkedin:sample` and so on, and their addresses end in ' +
      '`.example`. A repeated call adds nothing. Triggers and the CRM sync treat them as any other people, so load it ' +
      'before you connect something.',
    response: { type: SampleDataLoad, description: 'What the sample data has.' },
  })
  load(@CurrentCaller() { workspaceId }: Caller): Promise<LoadedSampleData> {
    return this.samples.load(workspaceId);
  }

  /** Removes the sample data. */
  @Delete()
  @Scopes('settings')
  @Operation({
    id: 'removeSampleData',
    summary: 'Remove the sample data',
    description:
      'Retracts everything that the sample data stated, as `POST /v2/retractions` does for one source: its people, ' +
      'companies, notes and leads disappear. What others stated about the same people stays, and so do leads that ' +
      'somebody has worked. Without sample data it changes nothing.',
    response: { type: SampleDataRemoval, description: 'What was removed.' },
  })
  remove(@CurrentCaller() { workspaceId, actor }: Caller): Promise<RemovedSampleData> {
    return this.samples.remove(workspaceId, actor);
  }
}
