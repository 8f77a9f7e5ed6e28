import { Body, Controller, Delete, Get, Param, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { OwnPagesGuard } from '../users/own-pages.guard.js';
import { SignedInDto } from '../users/sign-in.dto.js';
import { readSignInClient, setCookies } from '../users/sign-in.http.js';
import { toSignedInDto } from '../users/sign-in.presenter.js';
import { type AccountCaller, SignInService } from '../users/sign-in.service.js';
import {
  AddPasskey,
  BeginPasskey,
  PasskeyDto,
  PasskeyList,
  PasskeyOptions,
  RemovedPasskey,
  SignInByPasskey,
  toPasskeyDto,
} from './passkeys.dto.js';
import { MAX_PASSKEYS, PasskeysService } from './passkeys.service.js';

/** Serves the passkeys of the signed-in user, and the sign-in by one. */
@ApiTags('Sign-in')
@Controller('auth/passkeys')
@Public()
@UseGuards(OwnPagesGuard)
export class PasskeysController {
  constructor(
    private readonly passkeys: PasskeysService,
    private readonly signIns: SignInService,
  ) {}

  @Get()
  @Operation({
    id: 'listPasskeys',
    authenticates: 'session',
    summary: 'List passkeys',
    description: 'Returns the passkeys of the signed-in user, the oldest first.',
    response: { type: PasskeyList, description: 'The passkeys.' },
  })
  async list(@Req() request: FastifyRequest): Promise<PasskeyList> {
    const { user } = await this.requireCaller(request);
    return { passkeys: (await this.passkeys.list(user.id)).map(toPasskeyDto) };
  }

  @Post('options')
  @Operation({
    id: 'beginPasskey',
    authenticates: 'session',
    summary: 'Begin a passkey',
    description:
      'Returns the options by which the browser creates a passkey, within five minutes. Needs the password (else 401 ' +
      '`sign_in_failed`) and, if the account has a second factor, a code. A user has at most ' +
      `${MAX_PASSKEYS} passkeys: 403 \`quota_exceeded\`.`,
    body: { type: BeginPasskey, example: { password: 'correct horse battery' } },
    response: { type: PasskeyOptions, description: 'Options for the browser.' },
  })
  async begin(@Body() { password, code }: BeginPasskey, @Req() request: FastifyRequest): Promise<PasskeyOptions> {
    const caller = await this.requireCaller(request);
    return { options: await this.passkeys.beginRegistration(caller, { password, code }) };
  }

  @Post()
  @Operation({
    id: 'addPasskey',
    authenticates: 'session',
    summary: 'Add a passkey',
    description:
      'Adds the passkey that the browser has created by `POST /auth/passkeys/options`. One that answers no open challenge ' +
      'of the user, was made elsewhere or without a fingerprint, face or PIN is 401 `passkey_failed`.',
    body: { type: AddPasskey },
    status: 201,
    response: { type: PasskeyDto, description: 'The passkey.' },
  })
  async add(@Body() { name, credential }: AddPasskey, @Req() request: FastifyRequest): Promise<PasskeyDto> {
    const { user } = await this.requireCaller(request);
    return toPasskeyDto(await this.passkeys.register(user, name, credential));
  }

  @Delete(':id')
  @ApiParam({
    name: 'id',
    description: 'Unique identifier of the passkey.',
    schema: { type: 'string', format: 'uuid' },
  })
  @Operation({
    id: 'removePasskey',
    authenticates: 'session',
    summary: 'Remove a passkey',
    description: 'Removes a passkey of the signed-in user. Sessions that began with it go on.',
    response: { type: RemovedPasskey, description: 'The passkey was removed.' },
  })
  async remove(@Param('id') id: string, @Req() request: FastifyRequest): Promise<RemovedPasskey> {
    const { user } = await this.requireCaller(request);
    await this.passkeys.remove(user, id);
    return { id, removed: true };
  }

  @Post('sign-in/options')
  @Operation({
    id: 'beginPasskeySignIn',
    authenticates: 'nobody',
    summary: 'Begin a sign-in by passkey',
    description: 'Returns the options by which the browser signs in with a passkey, within five minutes.',
    response: { type: PasskeyOptions, description: 'Options for the browser.' },
  })
  async beginSignIn(@Req() request: FastifyRequest): Promise<PasskeyOptions> {
    return { options: await this.passkeys.beginSignIn(readSignInClient(request)) };
  }

  @Post('sign-in')
  @Operation({
    id: 'signInByPasskey',
    authenticates: 'nobody',
    summary: 'Sign in by passkey',
    description:
      'Signs in the person of a passkey and sets the session cookie. It needs neither password nor code, because the device ' +
      'has checked a fingerprint, a face or a PIN. A passkey that is unknown, or does not answer an open challenge, is 401 ' +
      '`passkey_failed`.',
    body: { type: SignInByPasskey },
    response: { type: SignedInDto, description: 'The user and their workspaces.' },
  })
  async signIn(
    @Body() { credential }: SignInByPasskey,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SignedInDto> {
    const signedIn = await this.passkeys.signIn(credential, readSignInClient(request));
    setCookies(reply, signedIn.cookies);
    return toSignedInDto(signedIn);
  }

  private requireCaller(request: FastifyRequest): Promise<AccountCaller> {
    return this.signIns.requireAccountCaller(request.headers.cookie ?? '', readSignInClient(request));
  }
}
