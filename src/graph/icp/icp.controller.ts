import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { Scopes, CurrentCaller } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { BuildIcpModelRequest, IcpModelResult, toIcpInput } from './icp.dto.js';
import { type IcpModelResponse, IcpService } from './icp.service.js';

/** Serves the endpoint that builds the ICP model. */
@ApiTags('Workspace')
@Controller('v2/workspace/scoring-model')
export class IcpController {
  constructor(private readonly models: IcpService) {}

  @Post()
  @Scopes('settings')
  @Operation({
    id: 'buildIcpModel',
    summary: 'Build the scoring model',
    description:
      'Builds the rules that leads are scored by from a description, from won and lost customers, and from ' +
      'explicit rules, without a language model. The model is saved as the next version of the section ' +
      '`icp`, and the response shows how it classifies the newest leads. Returns 409 `model_exists` if a ' +
      'model exists and `force` is not set, and 400 `no_gtm_context` if there is nothing to build from.',
    status: 201,
    existingDescription: 'The model that would be saved, for a dry run.',
    body: {
      type: BuildIcpModelRequest,
      example: { description: 'Software companies with 50 to 500 employees in Europe. No agencies.' },
    },
    response: { type: IcpModelResult, description: 'The model and how it classifies current leads.' },
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
