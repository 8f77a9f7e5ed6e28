import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentCaller, Scopes } from '#kernel/auth/caller.guard.js';
import type { Caller } from '#kernel/auth/caller.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { toWorkspaceDto } from '../users/sign-in.presenter.js';
import { CreatedWorkspaceDto, CreateWorkspace } from './new-workspaces.dto.js';
import { NewWorkspacesService } from './new-workspaces.service.js';

/** Serves the creation of workspaces by people. */
@ApiTags('Workspace')
@Controller('v2/workspaces')
export class NewWorkspacesController {
  constructor(private readonly workspaces: NewWorkspacesService) {}

  @Post()
  @Scopes('admin')
  @Operation({
    id: 'createWorkspace',
    authenticates: 'session',
    summary: 'Create a workspace',
    description:
      'Creates an empty workspace with the plan of the current one, and makes the person its owner. Only people who are ' +
      'signed in can call it, as owner or admin of the workspace that `X-Rapport-Workspace` names. With an API key, for ' +
      'somebody who owns 20 workspaces, and on hubs where the operator creates them, it returns 403 `new_workspace_refused`.',
    body: { type: CreateWorkspace, example: { name: 'Acme Europe' } },
    response: { type: CreatedWorkspaceDto, description: 'The workspace was created.' },
    status: 201,
  })
  async create(@CurrentCaller() caller: Caller, @Body() { name }: CreateWorkspace): Promise<CreatedWorkspaceDto> {
    return { workspace: toWorkspaceDto(await this.workspaces.create(caller, name)) };
  }
}
