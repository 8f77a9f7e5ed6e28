import { Body, Controller, Delete, Get, Param, Patch, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '#kernel/auth/caller.guard.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { InvitationsService } from './invitations.service.js';
import { OwnPagesGuard } from './own-pages.guard.js';
import { PasswordResetsService } from './password-resets.service.js';
import {
  AcceptInvitation,
  ChangeProfile,
  CurrentUserDto,
  EndedSessions,
  OpenInvitationDto,
  PasswordResetDto,
  ResetPassword,
  SessionList,
  SignedInDto,
  SignedOut,
  SignInRequest,
  UserDto,
} from './sign-in.dto.js';
import {
  toCurrentUserDto,
  toListedSessionDto,
  toOpenInvitationDto,
  toSignedInDto,
  toUserDto,
} from './sign-in.presenter.js';
import { readSignInClient, setCookies } from './sign-in.http.js';
import { type CurrentSession, SignInService } from './sign-in.service.js';

/**
 * Serves sign-in, sign-out and sessions of people. The pages of the hub call it; the session is a cookie that scripts
 * cannot read.
 */
@ApiTags('Sign-in')
@Controller('auth')
@Public()
@UseGuards(OwnPagesGuard)
export class SignInController {
  constructor(
    private readonly signIns: SignInService,
    private readonly invitations: InvitationsService,
    private readonly resets: PasswordResetsService,
  ) {}

  @Post('sign-in')
  @Operation({
    id: 'signIn',
    authenticates: 'nobody',
    summary: 'Sign in',
    description:
      'Signs a person in by e-mail address and password and sets the session cookie, which lasts for 14 days after its ' +
      'last use. Requests under `/v2` with the cookie act for the person, with the scopes of their role in the workspace ' +
      'that `X-Rapport-Workspace` names; with one workspace the header may be left out. Requests that change something ' +
      'need the `Origin` of the hub and `X-Rapport-Client: console`: 403 `foreign_origin`. A wrong address or password ' +
      'is 401 `sign_in_failed`, and delayed more each time. An account with a second factor also sends a `code`: without one ' +
      'it gets 401 `second_factor_required`, with a wrong or used one 401 `second_factor_failed`.',
    body: { type: SignInRequest, example: { email: 'ada@acme.com', password: 'correct horse battery' } },
    response: { type: SignedInDto, description: 'The user and their workspaces.' },
  })
  async signIn(
    @Body() { email, password, code }: SignInRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignedInDto> {
    const signedIn = await this.signIns.signIn({ email, password, code }, readSignInClient(request));
    setCookies(reply, signedIn.cookies);
    return toSignedInDto(signedIn);
  }

  @Post('sign-out')
  @Operation({
    id: 'signOut',
    authenticates: 'session',
    summary: 'Sign out',
    description: 'Ends the session of the cookie and clears the cookie. Without a session it changes nothing.',
    response: { type: SignedOut, description: 'The session has ended.' },
  })
  async signOut(
    @Req() { headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignedOut> {
    setCookies(reply, await this.signIns.signOut(headers.cookie ?? ''));
    return { signed_out: true };
  }

  @Get('me')
  @Operation({
    id: 'getCurrentUser',
    authenticates: 'session',
    summary: 'Get the signed-in user',
    description:
      'Returns who is signed in by the session cookie, with their workspaces and roles, and extends the session. ' +
      'Without a session: 401 `unauthorized`.',
    response: { type: CurrentUserDto, description: 'The user, their workspaces and the session.' },
  })
  async me(
    @Req() { headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CurrentUserDto> {
    const current = await this.signIns.readCurrent(headers.cookie ?? '');
    if (!current) throw HubError.unauthorized();
    setCookies(reply, current.cookies);
    return toCurrentUserDto(current);
  }

  @Patch('me')
  @Operation({
    id: 'updateCurrentUser',
    authenticates: 'session',
    summary: 'Update the signed-in user',
    description:
      'Changes the name or the password of the signed-in user. A new password needs the current one (else 401 ' +
      '`sign_in_failed`) and ends all other sessions.',
    body: { type: ChangeProfile, example: { name: 'Ada Lovelace' } },
    response: { type: UserDto, description: 'The user after the change.' },
  })
  async update(@Body() { name, password }: ChangeProfile, @Req() request: FastifyRequest): Promise<UserDto> {
    const session = await this.requireSession(request);
    if (name === undefined && password === undefined) throw new HubError('no_updatable_fields');
    const change = { name, password: password && { current: password.current, next: password.new } };
    return toUserDto(await this.signIns.changeProfile(session, change, readSignInClient(request)));
  }

  @Post('password/reset')
  @Operation({
    id: 'resetPassword',
    authenticates: 'nobody',
    summary: 'Reset a forgotten password',
    description:
      'Sets the password of a person who forgot it, by a token that the operator of the hub makes with ' +
      '`rapport admin user reset-password`. It works once and for a day, and ends all sessions of the person. Returns 404 ' +
      '`not_found` after that.',
    body: {
      type: ResetPassword,
      example: { token: 'q1X0v8o4rN9cJ6mTt2bWzK7yHs5uLdEaPfGiQjRkSlM', password: 'correct horse battery' },
    },
    response: { type: PasswordResetDto, description: 'The new password holds.' },
  })
  async resetPassword(@Body() { token, password }: ResetPassword): Promise<PasswordResetDto> {
    await this.resets.reset(token, password);
    return { reset: true };
  }

  @Get('sessions')
  @Operation({
    id: 'listSessions',
    authenticates: 'session',
    summary: 'List sessions',
    description: 'Returns the sessions of the signed-in user that have not ended, with where each was started.',
    response: { type: SessionList, description: 'The sessions.' },
  })
  async sessions(@Req() request: FastifyRequest): Promise<SessionList> {
    const { id, user } = await this.requireSession(request);
    return { sessions: (await this.signIns.listSessions(user.id)).map(each => toListedSessionDto(each, id)) };
  }

  @Delete('sessions')
  @Operation({
    id: 'endOtherSessions',
    authenticates: 'session',
    summary: 'End other sessions',
    description: 'Ends all sessions of the signed-in user except the one of this request.',
    response: { type: EndedSessions, description: 'How many have ended.' },
  })
  async endOthers(@Req() request: FastifyRequest): Promise<EndedSessions> {
    const { id, user } = await this.requireSession(request);
    return { ended: await this.signIns.endOtherSessions(user.id, id) };
  }

  @Delete('sessions/:id')
  @ApiParam({
    name: 'id',
    description: 'Unique identifier of the session.',
    schema: { type: 'string', format: 'uuid' },
  })
  @Operation({
    id: 'endSession',
    authenticates: 'session',
    summary: 'End a session',
    description:
      'Ends a session of the signed-in user; within 5 seconds it stops working everywhere. Returns 404 `not_found` for ' +
      'a session that has ended or is not theirs.',
    response: { type: EndedSessions, description: 'The session has ended.' },
  })
  async end(@Param('id') id: string, @Req() request: FastifyRequest): Promise<EndedSessions> {
    const { user } = await this.requireSession(request);
    await this.signIns.endSession(user.id, id);
    return { ended: 1 };
  }

  @Get('invitations/:token')
  @ApiParam({
    name: 'token',
    description: 'Token of the invitation, as its link has it.',
    schema: { type: 'string', maxLength: 100 },
  })
  @Operation({
    id: 'getOpenInvitation',
    authenticates: 'nobody',
    summary: 'Get an invitation',
    description:
      'Returns what an invitation offers, to the holder of its token. Returns 404 `not_found` after it was accepted or ' +
      'withdrawn, or has expired.',
    response: { type: OpenInvitationDto, description: 'The invitation.' },
  })
  async invitation(@Param('token') token: string): Promise<OpenInvitationDto> {
    return toOpenInvitationDto(await this.invitations.find(token));
  }

  @Post('invitations/:token/accept')
  @ApiParam({
    name: 'token',
    description: 'Token of the invitation, as its link has it.',
    schema: { type: 'string', maxLength: 100 },
  })
  @Operation({
    id: 'acceptInvitation',
    authenticates: 'nobody',
    summary: 'Accept an invitation',
    description:
      'Joins the workspace of an invitation and signs in. An address without an account gets one, with this name and ' +
      'password; one that has an account sends its password (else 401 `sign_in_failed`), and a code if it has a second factor. An invitation is accepted once.',
    body: { type: AcceptInvitation, example: { name: 'Ada Lovelace', password: 'correct horse battery' } },
    response: { type: SignedInDto, description: 'The user and their workspaces.' },
  })
  async accept(
    @Param('token') token: string,
    @Body() { name, password, code }: AcceptInvitation,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignedInDto> {
    const signedIn = await this.invitations.accept(token, { name, password, code }, readSignInClient(request));
    setCookies(reply, signedIn.cookies);
    return toSignedInDto(signedIn);
  }

  private async requireSession({ headers }: FastifyRequest): Promise<CurrentSession> {
    const session = await this.signIns.findSession(headers.cookie ?? '');
    if (!session) throw HubError.unauthorized();
    return session;
  }
}
