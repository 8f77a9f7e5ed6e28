import { Body, Controller, Get, HttpCode, Post, Query, Req, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { readClientAddress } from '#kernel/limits/client-address.js';
import { OwnPagesGuard } from '../users/own-pages.guard.js';
import {
  Approval,
  ApprovalQuery,
  ApprovingKey,
  DecideApproval,
  DecidedApproval,
  IdentifyApprover,
  toApprovalDto,
  toApprovingKeyDto,
} from './approvals.dto.js';
import { ApprovalsService, type Visitor } from './approvals.service.js';

/** Serves the approval page of the console: programs that request an API key, and the decision of a person about them. */
@ApiTags('Sign-in')
@Controller('auth/approvals')
@Public()
@UseGuards(OwnPagesGuard)
export class ApprovalsController {
  constructor(private readonly approvals: ApprovalsService) {}

  @Get()
  @Operation({
    id: 'getApproval',
    authenticates: 'nobody',
    summary: 'Get a request for approval',
    description:
      'Returns the program that requests an API key by OAuth or a device login, and the workspaces for which the signed-in ' +
      'person may approve it. Returns 404 `not_found` for a wrong user code, and delays the answer to several wrong codes; ' +
      '410 `approval_expired` for a ticket that is too old.',
    response: { type: Approval, description: 'The request.' },
  })
  async find(@Query() { ticket }: ApprovalQuery, @Req() request: FastifyRequest): Promise<Approval> {
    return toApprovalDto(await this.approvals.find(ticket, readVisitor(request)));
  }

  @Post('key')
  @HttpCode(200)
  @Operation({
    id: 'identifyApprover',
    authenticates: 'nobody',
    summary: 'Identify an approver by key',
    description:
      'Returns the workspace for which an API key can approve a program, for people without an account. A key that is wrong ' +
      'or lacks the scope `admin` is 400 `invalid_request` with the field `api_key`, and delayed more each time.',
    body: { type: IdentifyApprover, example: { ticket: 'BCDF-GHJK', api_key: 'rap_live_…' } },
    response: { type: ApprovingKey, description: 'The key and its workspace.' },
  })
  async identify(@Body() { ticket, api_key }: IdentifyApprover, @Req() request: FastifyRequest): Promise<ApprovingKey> {
    return toApprovingKeyDto(await this.approvals.findKey(ticket, api_key, readVisitor(request)));
  }

  @Post('decision')
  @HttpCode(200)
  @Operation({
    id: 'decideApproval',
    authenticates: 'nobody',
    summary: 'Decide a request for approval',
    description:
      'Approves or denies a request. To approve takes the session of an owner or admin, or an API key with the scope ' +
      '`admin`: 401 `unauthorized` without either. The program gets the selected scopes that the approver holds. Anybody who ' +
      'has the ticket may deny it. A device login that was decided before is 410 `approval_expired`.',
    body: {
      type: DecideApproval,
      example: { ticket: 'BCDF-GHJK', approve: true, scopes: ['read', 'write'] },
    },
    response: { type: DecidedApproval, description: 'The decision, and where the browser goes.' },
  })
  async decide(@Body() body: DecideApproval, @Req() request: FastifyRequest): Promise<DecidedApproval> {
    const { ticket, approve, scopes, workspace, user_id, api_key } = body;
    const decision = { approves: approve, scopes, workspaceId: workspace, userId: user_id, apiKey: api_key };
    return { approved: approve, redirect_to: await this.approvals.decide(ticket, decision, readVisitor(request)) };
  }
}

function readVisitor(request: FastifyRequest): Visitor {
  return { cookies: request.headers.cookie ?? '', address: readClientAddress(request) };
}
