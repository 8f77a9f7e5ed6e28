import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/handler-response.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { BuildIcpModelRequest, IcpModelResult, toIcpInput } from './icp.dto.js';
import { type IcpModelResponse, IcpService } from './icp.service.js';

/** Serves the endpoint that builds the ICP model. */
@ApiTags('workspace')
@Controller('v2/workspace/scoring-model')
export class IcpController {
  constructor(private readonly models: IcpService) {}

  @Post()
  @Operation({
    id: 'buildIcpModel',
    summary: 'Build the model of the ideal customer',
    description:
      'Makes the rules that leads are scored by from words, from customers that were won and lost, and from rules, ' +
      'without a language model; and tells how they do on the newest leads. Saved as the next version of the section ' +
      '`icp`. `model_exists` (409) unless `force`; `no_gtm_context` (400) when there is nothing to build from.',
    status: 201,
    existingDescription: 'What a dry run would save.',
    response: { type: IcpModelResult, description: 'The model and how it does.' },
    isIdempotent: true,
  })
  build(
    @CurrentCaller() caller: Caller,
    @Body() body: BuildIcpModelRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<IcpModelResponse>> {
    return this.models.build(caller, toIcpInput(body), key);
  }
}
