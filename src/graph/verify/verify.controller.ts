import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Scopes } from '#kernel/auth/scopes.decorator.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { parseWith } from '#kernel/http/request-validation.pipe.js';
import type { HandlerResponse } from '#kernel/http/handler-response.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import type { AmbiguousName } from '../identity/entity-resolver.service.js';
import type { VerifyResponse } from './verify.presenter.js';
import { readVerifyRequest, type VerifyRequest } from './verify-request.js';
import { VerifyResult, VerifyRequestDto } from './verify.dto.js';
import { VerifyService } from './verify.service.js';

/** Serves the verify endpoint. */
@ApiTags('verify')
@Controller('v2/verify')
export class VerifyController {
  constructor(private readonly verification: VerifyService) {}

  /** Derives a fact again from the log and returns the verdict. */
  @Post()
  @Scopes('read')
  @Operation({
    id: 'verifyFact',
    summary: 'Verify a fact',
    description:
      'Derives one claim anew from everything that was ever observed, past every cache, and says whether it may be ' +
      'acted upon. Ask before you rely on a fact that is not `fresh` or not surer than 0.7. The verdict is the first ' +
      'that applies: `unknown`, `ended`, `changed` (you named a value and it is another), `contested`, `stale`, ' +
      '`confirmed`. No claim is written. With `refresh: true` connected plugins are asked to look it up anew. A name that several bear is answered with `status: "ambiguous"`.',
    body: { type: VerifyRequestDto },
    response: { type: VerifyResult, description: 'The verdict, and the claim before and after.' },
  })
  verify(
    @CurrentCaller() caller: Caller,
    @Body(parseWith(readVerifyRequest)) request: VerifyRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<VerifyResponse | AmbiguousName>> {
    return this.verification.verify(caller, request, key);
  }
}
