import { Body, Controller, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { Scopes, CurrentCaller } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import {
  OnboardingResult,
  OnboardingRequest,
  RenamedWorkspace,
  RenameWorkspace,
  toOnboardingInput,
} from './onboarding.dto.js';
import { type OnboardingResponse, OnboardingService } from './onboarding.service.js';
import type { WorkspaceStatusResponse } from './status.presenter.js';
import { WorkspaceSetupStatus } from './status.dto.js';
import { StatusService } from './status.service.js';

/** Serves the endpoints of workspace status and profile. */
@ApiTags('Workspace')
@Controller('v2/workspace')
export class WorkspaceController {
  constructor(
    private readonly statuses: StatusService,
    private readonly onboarding: OnboardingService,
  ) {}

  @Get('status')
  @Operation({
    id: 'getWorkspaceStatus',
    summary: 'Get workspace status',
    description:
      'Returns the workspace profile, its plan, what it contains and is connected to, and the recommended ' +
      'next setup steps. Call it first in a new session.',
    response: { type: WorkspaceSetupStatus, description: 'The status.' },
  })
  status(@CurrentCaller() caller: Caller): Promise<WorkspaceStatusResponse> {
    return this.statuses.read(caller);
  }

  @Patch()
  @Scopes('settings')
  @Operation({
    id: 'renameWorkspace',
    summary: 'Rename the workspace',
    description:
      'Gives the workspace another name, everywhere: in its profile, in the console, and on the pages where people approve ' +
      'programs. Its ID, which addresses of the console contain, stays. `POST /v2/workspace/onboarding` sets the rest of the profile.',
    body: { type: RenameWorkspace, example: { name: 'Acme Europe' } },
    response: { type: RenamedWorkspace, description: 'The workspace after the change.' },
  })
  async rename(@CurrentCaller() caller: Caller, @Body() body: RenameWorkspace): Promise<RenamedWorkspace> {
    const name = body.name.trim();
    await this.onboarding.write(caller, { name, dryRun: false });
    return { workspace: { id: caller.workspaceId, name, plan: caller.plan } };
  }

  @Post('onboarding')
  @Scopes('settings')
  @Operation({
    id: 'setWorkspaceProfile',
    summary: 'Update the workspace profile',
    description:
      'Sets fields of the workspace profile, and the ideal customer in plain words; omitted fields stay ' +
      'unchanged. Every version is kept in the sections `profile` and `icp` of `GET /v2/workspace/facts`. ' +
      'Returns 400 `invalid_request` if no field is sent.',
    response: {
      type: OnboardingResult,
      description: 'The profile after the update, and the sections that were written.',
    },
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
