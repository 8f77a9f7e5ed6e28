import { Body, Controller, Delete, Get, Inject, Param, Patch, Post } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { validate as isUuid } from 'uuid';
import { CurrentCaller, Scopes } from '#kernel/auth/caller.guard.js';
import type { Caller } from '#kernel/auth/caller.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { INVITATION_DAYS, InvitationsService, MAX_OPEN_INVITATIONS } from './invitations.service.js';
import {
  ChangeMember,
  CreatedInvitation,
  CreateInvitation,
  InvitationList,
  Member,
  MemberList,
  RemovedMember,
  toInvitation,
  toMember,
  WithdrawnInvitation,
} from './members.dto.js';
import { MembersService } from './members.service.js';
import { buildSecretPageUrl } from './page-urls.js';

const USER_ID = {
  name: 'user_id',
  description: 'Unique identifier of the user.',
  schema: { type: 'string', format: 'uuid' },
};

/** Serves the members of a workspace and the invitations to it. */
@ApiTags('Members')
@Controller('v2/workspace')
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
    @Inject(ENV) private readonly env: Pick<Env, 'publicUrl'>,
  ) {}

  @Get('members')
  @Operation({
    id: 'listMembers',
    summary: 'List members',
    description: 'Returns the people who belong to the workspace, with their roles.',
    response: { type: MemberList, description: 'The members.' },
  })
  async list(@CurrentCaller() { workspaceId }: Caller): Promise<MemberList> {
    return { members: (await this.members.list(workspaceId)).map(toMember) };
  }

  @Patch('members/:user_id')
  @Scopes('admin')
  @ApiParam(USER_ID)
  @Operation({
    id: 'changeMember',
    summary: 'Change the role of a member',
    description:
      'Gives a member another role; within 5 seconds it holds everywhere. Owners manage every member; admins, and keys ' +
      'with the scope `admin`, those who are not owners: 403 `forbidden_scope`. The last owner stays one: 409 `last_owner`.',
    body: { type: ChangeMember, example: { role: 'admin' } },
    response: { type: Member, description: 'The member after the change.' },
  })
  async change(
    @CurrentCaller() caller: Caller,
    @Param('user_id') userId: string,
    @Body() { role }: ChangeMember,
  ): Promise<Member> {
    return toMember(await this.members.change(caller, requireId(userId), role));
  }

  @Delete('members/:user_id')
  @Scopes()
  @ApiParam(USER_ID)
  @Operation({
    id: 'removeMember',
    summary: 'Remove a member',
    description:
      'Removes a member from the workspace; within 5 seconds they can no longer act in it. Their account and what they ' +
      'stated stay. Everyone may leave; who may remove others is as for `PATCH`. The last owner cannot leave: 409 `last_owner`.',
    response: { type: RemovedMember, description: 'The member was removed.' },
  })
  async remove(@CurrentCaller() caller: Caller, @Param('user_id') userId: string): Promise<RemovedMember> {
    const isLeaving = caller.actor.kind === 'person' && caller.actor.id === userId;
    if (!isLeaving && !caller.scopes.includes('admin')) throw HubError.missingScope('admin');
    await this.members.remove(caller, requireId(userId));
    return { user_id: userId, removed: true };
  }

  @Get('invitations')
  @Scopes('admin')
  @Operation({
    id: 'listInvitations',
    summary: 'List invitations',
    description: 'Returns the invitations that nobody has accepted and that have not expired.',
    response: { type: InvitationList, description: 'The invitations.' },
  })
  async listInvitations(@CurrentCaller() { workspaceId }: Caller): Promise<InvitationList> {
    return { invitations: (await this.invitations.list(workspaceId)).map(toInvitation) };
  }

  @Post('invitations')
  @Scopes('admin')
  @Operation({
    id: 'createInvitation',
    summary: 'Invite a person',
    description:
      `Invites a person to the workspace for ${INVITATION_DAYS} days. The hub sends no e-mail: pass the link on. Inviting ` +
      'an address again replaces its open invitation. Owners invite with every role; admins, and keys with the scope ' +
      '`admin`, with those below owner, and with `owner` while the workspace has none. Returns 409 `already_member` for a ' +
      `member, and 403 \`quota_exceeded\` beyond ${MAX_OPEN_INVITATIONS} open invitations.`,
    body: { type: CreateInvitation, example: { email: 'ada@acme.com', role: 'member' } },
    status: 201,
    response: { type: CreatedInvitation, description: 'The invitation with its link.' },
  })
  async invite(@CurrentCaller() caller: Caller, @Body() { email, role }: CreateInvitation): Promise<CreatedInvitation> {
    const { invitation, token } = await this.invitations.create(caller, email, role);
    return {
      invitation: toInvitation(invitation),
      token,
      link: buildSecretPageUrl(this.env.publicUrl, 'invite', token),
    };
  }

  @Delete('invitations/:id')
  @Scopes('admin')
  @ApiParam({
    name: 'id',
    description: 'Unique identifier of the invitation.',
    schema: { type: 'string', format: 'uuid' },
  })
  @Operation({
    id: 'withdrawInvitation',
    summary: 'Withdraw an invitation',
    description: 'Withdraws an invitation that nobody has accepted; its token stops working at once.',
    response: { type: WithdrawnInvitation, description: 'The invitation was withdrawn.' },
  })
  async withdraw(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<WithdrawnInvitation> {
    await this.invitations.withdraw(caller, requireId(id));
    return { id, withdrawn: true };
  }
}

function requireId(id: string): string {
  if (!isUuid(id)) throw new HubError('not_found');
  return id;
}
