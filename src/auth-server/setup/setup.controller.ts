import { Body, Controller, Get, Inject, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '#kernel/auth/caller.guard.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { OwnPagesGuard } from '../users/own-pages.guard.js';
import { OpenSetupDto, SetUp, SignInState, toOpenSetupDto } from './setup.dto.js';
import { SetupService } from './setup.service.js';
import { SignedInDto } from '../users/sign-in.dto.js';
import { readSignInClient, setCookies } from '../users/sign-in.http.js';
import { toSignedInDto } from '../users/sign-in.presenter.js';
import { SignInService } from '../users/sign-in.service.js';

const CODE = {
  name: 'code',
  description: 'Code at the end of the setup address.',
  schema: { type: 'string', maxLength: 100 },
};

/** Serves the first steps of a hub: whether anybody can sign in, and the account of the first owner of a workspace. */
@ApiTags('Sign-in')
@Controller('auth')
@Public()
@UseGuards(OwnPagesGuard)
export class SetupController {
  constructor(
    private readonly setup: SetupService,
    private readonly signIns: SignInService,
    @Inject(ENV) private readonly env: Pick<Env, 'oidc'>,
  ) {}

  @Get('state')
  @Operation({
    id: 'getSignInState',
    authenticates: 'nobody',
    summary: 'Get the state of sign-in',
    description:
      'Returns whether the hub waits for its first owner, whether the cookie of this request has a session, and whether ' +
      'people can sign in by single sign-on.',
    response: { type: SignInState, description: 'The state.' },
  })
  async state(@Req() { headers }: FastifyRequest): Promise<SignInState> {
    const [isRequired, session] = await Promise.all([
      this.setup.isRequired(),
      headers.cookie === undefined ? undefined : this.signIns.findSession(headers.cookie),
    ]);
    return {
      setup_required: isRequired,
      signed_in: session !== undefined,
      single_sign_on: this.env.oidc?.name ?? null,
    };
  }

  @Get('setup/:code')
  @ApiParam(CODE)
  @Operation({
    id: 'getSetup',
    authenticates: 'nobody',
    summary: 'Get a setup',
    description:
      'Returns the workspace of a setup address. Returns 404 `not_found` after it was used or replaced, or has expired.',
    response: { type: OpenSetupDto, description: 'The workspace that waits for its first owner.' },
  })
  async find(@Param('code') code: string): Promise<OpenSetupDto> {
    return toOpenSetupDto(await this.setup.find(code));
  }

  @Post('setup/:code')
  @ApiParam(CODE)
  @Operation({
    id: 'setUp',
    authenticates: 'nobody',
    summary: 'Set up a workspace',
    description:
      'Creates the account of the first owner of a workspace and signs in. The first start of the hub, and `rapport admin ' +
      'workspace create` and `setup-address`, print the address with the code, which works once and for seven days. ' +
      'Returns 404 `not_found` after that, and for a workspace that has a member.',
    body: {
      type: SetUp,
      example: {
        name: 'Ada Lovelace',
        email: 'ada@acme.com',
        password: 'correct horse battery',
        workspace_name: 'Acme',
      },
    },
    status: 201,
    response: { type: SignedInDto, description: 'The owner and their workspaces.' },
  })
  async setUp(
    @Param('code') code: string,
    @Body() { name, email, password, code: secondFactor, workspace_name }: SetUp,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignedInDto> {
    const credentials = { email, password, code: secondFactor };
    const owner = { name, credentials, workspaceName: workspace_name };
    const signedIn = await this.setup.setUp(code, owner, readSignInClient(request));
    setCookies(reply, signedIn.cookies);
    return toSignedInDto(signedIn);
  }
}
