import { Body, Controller, Get, Inject, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '#kernel/auth/caller.guard.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { readCookie } from '#kernel/http/cookies.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { OwnPagesGuard } from '../users/own-pages.guard.js';
import { readSignInClient, setCookies } from '../users/sign-in.http.js';
import { type AccountCaller, SignInService } from '../users/sign-in.service.js';
import { CALLBACK_PATH } from './oidc-provider.js';
import {
  BeginSingleSignOn,
  ConnectSingleSignOn,
  DisconnectedSingleSignOn,
  DisconnectSingleSignOn,
  SingleSignOnRedirect,
} from './single-sign-on.dto.js';
import { ATTEMPT_SECONDS } from './single-sign-on.queries.js';
import { SingleSignOnService } from './single-sign-on.service.js';

const COOKIE = 'rapport_single_sign_on';

/** Serves sign-in at the OpenID Connect provider of the operator. */
@ApiTags('Sign-in')
@Controller('auth/single-sign-on')
@Public()
@UseGuards(OwnPagesGuard)
export class SingleSignOnController {
  private readonly cookieAttributes: string;

  constructor(
    @Inject(ENV) { publicUrl }: Pick<Env, 'publicUrl'>,
    private readonly service: SingleSignOnService,
    private readonly signIns: SignInService,
  ) {
    const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
    this.cookieAttributes = `Path=${CALLBACK_PATH}; Max-Age=${ATTEMPT_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
  }

  @Post()
  @Operation({
    id: 'beginSingleSignOn',
    authenticates: 'nobody',
    summary: 'Begin single sign-on',
    description:
      'Returns the address at the provider of the operator (OpenID Connect) at which the person of this browser signs in. ' +
      'The provider sends the browser back to the hub, which begins the session and opens the page `to`. With an ' +
      '`invitation` the person joins its workspace; one without an account here gets one. Who cannot be signed in comes to ' +
      '`/sign-in` with the error code in `refused`. Returns 404 `not_found` if the hub has no single sign-on, 502 ' +
      '`single_sign_on_unavailable` if the provider does not respond.',
    body: { type: BeginSingleSignOn, example: {} },
    response: { type: SingleSignOnRedirect, description: 'Where the browser goes.' },
  })
  async begin(
    @Body() body: BeginSingleSignOn,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SingleSignOnRedirect> {
    const { url, secret } = await this.service.begin(body, readSignInClient(request));
    return this.redirect(url, secret, reply);
  }

  @Post('connect')
  @Operation({
    id: 'connectSingleSignOn',
    authenticates: 'session',
    summary: 'Connect single sign-on',
    description:
      'Returns the address at the provider at which the signed-in user signs in, once, to connect it with their account. ' +
      'From then on it signs them in without password and code. Needs the password (else 401 `sign_in_failed`) and, if the ' +
      'account has a second factor, a code. What fails at the provider comes back to the page `to` with the error code in `refused`.',
    body: { type: ConnectSingleSignOn, example: { password: 'correct horse battery' } },
    response: { type: SingleSignOnRedirect, description: 'Where the browser goes.' },
  })
  async connect(
    @Body() { password, code, to }: ConnectSingleSignOn,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SingleSignOnRedirect> {
    const caller = await this.requireCaller(request);
    const { url, secret } = await this.service.beginConnecting(caller, { password, code }, to);
    return this.redirect(url, secret, reply);
  }

  @Post('disconnect')
  @Operation({
    id: 'disconnectSingleSignOn',
    authenticates: 'session',
    summary: 'Disconnect single sign-on',
    description:
      'Ends sign-in at the provider for the signed-in user, whose running sessions go on. Needs the password (else 401 ' +
      '`sign_in_failed`) and, if the account has a second factor, a code. Returns 404 `not_found` if it is not connected.',
    body: { type: DisconnectSingleSignOn, example: { password: 'correct horse battery' } },
    response: { type: DisconnectedSingleSignOn, description: 'The account is not connected any more.' },
  })
  async disconnect(
    @Body() { password, code }: DisconnectSingleSignOn,
    @Req() request: FastifyRequest,
  ): Promise<DisconnectedSingleSignOn> {
    await this.service.disconnect(await this.requireCaller(request), { password, code });
    return { disconnected: true };
  }

  /** Takes the browser that the provider sends back. A person sees the response, so a refusal is shown by a page. */
  @Get('callback')
  @ApiExcludeEndpoint()
  async callback(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const cookie = request.headers.cookie ?? '';
    const { to, cookies } = await this.service.finish({
      query: new URL(request.url, 'http://localhost').searchParams,
      secret: readCookie(cookie, COOKIE),
      cookie,
      client: readSignInClient(request),
    });
    setCookies(reply, [...cookies, `${COOKIE}=; ${this.cookieAttributes.replace(/Max-Age=\d+/, 'Max-Age=0')}`]);
    await reply.redirect(to, 303);
  }

  private redirect(url: string, secret: string, reply: FastifyReply): SingleSignOnRedirect {
    setCookies(reply, [`${COOKIE}=${secret}; ${this.cookieAttributes}`]);
    return { url };
  }

  private requireCaller(request: FastifyRequest): Promise<AccountCaller> {
    return this.signIns.requireAccountCaller(request.headers.cookie ?? '', readSignInClient(request));
  }
}
