import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller, Scopes } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { parseWith } from '#kernel/http/request-validation.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import type { AmbiguousName } from '../identity/entity-resolver.service.js';
import type { VerifyResponse } from './verify.presenter.js';
import { readVerifyRequest, type VerifyRequest } from './verify-request.js';
import { VerifyResult, VerifyRequestDto } from './verify.dto.js';
import { VerifyService } from './verify.service.js';
import { AmbiguousNameDto } from '../identity/focus.dto.js';

/** Serves the verify endpoint. */
@ApiTags('Verify')
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
      'Recomputes one claim from all observations, bypassing every cache, and returns whether it is safe to ' +
      'act on. Call it before relying on a fact that is not `fresh` or not above 0.7 confidence. `verdict` ' +
      'is the first that applies: `unknown`, `ended`, `changed` (differs from the value you sent), ' +
      '`contested`, `stale` or `confirmed`. With `refresh: true`, connected plugins are asked to look the ' +
      'fact up again. If a name matches more than one entity, the response has `status: "ambiguous"` and ' +
      'lists `candidates`. Returns 400 `focus_and_property_required` if one is missing and 404 ' +
      '`entity_not_found` for an unknown identifier. No claim is written.',
    body: { type: VerifyRequestDto, example: { focus: 'ada@acme.com', property: 'title', value: 'VP Sales' } },
    response: {
      type: VerifyResult,
      alternatives: [AmbiguousNameDto],
      description: 'The verdict and the claim before and after, or the candidates of an ambiguous name.',
    },
  })
  verify(
    @CurrentCaller() caller: Caller,
    @Body(parseWith(readVerifyRequest)) request: VerifyRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<VerifyResponse | AmbiguousName>> {
    return this.verification.verify(caller, request, key);
  }
}
