import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/handler-response.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { OnboardingResult, OnboardingRequest, toOnboardingInput } from './onboarding.dto.js';
import { type OnboardingResponse, OnboardingService } from './onboarding.service.js';
import type { WorkspaceStatusResponse } from './status.presenter.js';
import { WorkspaceSetupStatus } from './status.dto.js';
import { StatusService } from './status.service.js';

/** Serves the endpoints of workspace status and profile. */
@ApiTags('workspace')
@Controller('v2/workspace')
export class WorkspaceController {
  constructor(
    private readonly statuses: StatusService,
    private readonly onboarding: OnboardingService,
  ) {}

  @Get('status')
  @Operation({
    id: 'getWorkspaceStatus',
    summary: 'Read the status of the workspace',
    description:
      'What the workspace is and holds, what it is connected to, what its plan includes, and what to set up next.',
    response: { type: WorkspaceSetupStatus, description: 'The status.' },
  })
  status(@CurrentCaller() caller: Caller): Promise<WorkspaceStatusResponse> {
    return this.statuses.read(caller);
  }

  @Post('onboarding')
  @Operation({
    id: 'setWorkspaceProfile',
    summary: 'Say what the workspace is',
    description:
      'Sets fields of the section `profile`, and the ideal customer in words; what is left out stays. Every version is ' +
      'kept, see `GET /v2/workspace/facts`.',
    response: { type: OnboardingResult, description: 'The profile as it is now, and the versions that were written.' },
    isIdempotent: true,
  })
  write(
    @CurrentCaller() caller: Caller,
    @Body() body: OnboardingRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<OnboardingResponse>> {
    return this.onboarding.write(caller, toOnboardingInput(body), key);
  }
}
