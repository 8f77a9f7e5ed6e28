import { Body, Controller, Get, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { OwnPagesGuard } from '../users/own-pages.guard.js';
import { readSignInClient, setCookies } from '../users/sign-in.http.js';
import { type AccountCaller, SignInService } from '../users/sign-in.service.js';
import {
  BeginSecondFactor,
  ConfirmSecondFactor,
  ProveSecondFactor,
  RecoveryCodes,
  SecondFactorDto,
  SecondFactorSetupDto,
  toSecondFactorDto,
  toSecondFactorSetupDto,
} from './second-factor.dto.js';
import { SecondFactorService } from './second-factor.service.js';

/** Serves the second factor of the signed-in user: codes of an authenticator app (TOTP, RFC 6238) and recovery codes. */
@ApiTags('Sign-in')
@Controller('auth/second-factor')
@Public()
@UseGuards(OwnPagesGuard)
export class SecondFactorController {
  constructor(
    private readonly secondFactors: SecondFactorService,
    private readonly signIns: SignInService,
  ) {}

  @Get()
  @Operation({
    id: 'getSecondFactor',
    authenticates: 'session',
    summary: 'Get the second factor',
    description: 'Returns whether the signed-in user has a second factor, and how many recovery codes are left.',
    response: { type: SecondFactorDto, description: 'The second factor.' },
  })
  async read(@Req() request: FastifyRequest): Promise<SecondFactorDto> {
    const { user } = await this.requireCaller(request);
    return toSecondFactorDto(await this.secondFactors.read(user.id));
  }

  @Post()
  @Operation({
    id: 'beginSecondFactor',
    authenticates: 'session',
    summary: 'Begin the setup of a second factor',
    description:
      'Creates the secret of an authenticator app and ten recovery codes, which are shown this once. Signing in needs no ' +
      'code until `POST /auth/second-factor/confirm`; another call before that replaces them. A wrong password is 401 ' +
      '`sign_in_failed`; an account that has a second factor gets 409 `second_factor_enabled`.',
    body: { type: BeginSecondFactor, example: { password: 'correct horse battery' } },
    status: 201,
    response: { type: SecondFactorSetupDto, description: 'The secret and the recovery codes.' },
  })
  async begin(@Body() { password }: BeginSecondFactor, @Req() request: FastifyRequest): Promise<SecondFactorSetupDto> {
    return toSecondFactorSetupDto(await this.secondFactors.begin(await this.requireCaller(request), password));
  }

  @Post('confirm')
  @Operation({
    id: 'confirmSecondFactor',
    authenticates: 'session',
    summary: 'Turn the second factor on',
    description:
      'Turns the second factor on by the first code of the authenticator app. Signing in, and accepting an invitation, ' +
      'then need a `code` beside the password. All other sessions of the user end. A wrong code is 401 `second_factor_failed`.',
    body: { type: ConfirmSecondFactor, example: { code: '492039' } },
    response: { type: SecondFactorDto, description: 'The second factor is on.' },
  })
  async confirm(
    @Body() { code }: ConfirmSecondFactor,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SecondFactorDto> {
    const caller = await this.requireCaller(request);
    setCookies(reply, await this.secondFactors.confirm(caller, code));
    return toSecondFactorDto(await this.secondFactors.read(caller.user.id));
  }

  @Post('disable')
  @Operation({
    id: 'disableSecondFactor',
    authenticates: 'session',
    summary: 'Turn the second factor off',
    description:
      'Turns the second factor off, by the password and a code. Who has lost the app uses a recovery code; who has lost ' +
      'both asks the operator, who removes it with `rapport admin user remove-second-factor`.',
    body: { type: ProveSecondFactor, example: { password: 'correct horse battery', code: '492039' } },
    response: { type: SecondFactorDto, description: 'The second factor is off.' },
  })
  async disable(
    @Body() proof: ProveSecondFactor,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SecondFactorDto> {
    const caller = await this.requireCaller(request);
    setCookies(reply, await this.secondFactors.disable(caller, proof));
    return toSecondFactorDto(await this.secondFactors.read(caller.user.id));
  }

  @Post('recovery-codes')
  @Operation({
    id: 'replaceRecoveryCodes',
    authenticates: 'session',
    summary: 'Replace the recovery codes',
    description: 'Creates ten new recovery codes, by the password and a code. Those from before stop working.',
    body: { type: ProveSecondFactor, example: { password: 'correct horse battery', code: '492039' } },
    status: 201,
    response: { type: RecoveryCodes, description: 'The new recovery codes.' },
  })
  async replaceRecoveryCodes(@Body() proof: ProveSecondFactor, @Req() request: FastifyRequest): Promise<RecoveryCodes> {
    const codes = await this.secondFactors.replaceRecoveryCodes(await this.requireCaller(request), proof);
    return { recovery_codes: codes };
  }

  private requireCaller(request: FastifyRequest): Promise<AccountCaller> {
    return this.signIns.requireAccountCaller(request.headers.cookie ?? '', readSignInClient(request));
  }
}
