import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { Scopes, CurrentCaller } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { BuildIcpModelRequest, CurrentIcpModel, IcpModelResult, toIcpInput } from './icp.dto.js';
import { type CurrentModelResponse, type IcpModelResponse, IcpService } from './icp.service.js';

/** Serves the endpoints of the ICP model. */
@ApiTags('Workspace')
@Controller('v2/workspace/scoring-model')
export class IcpController {
  constructor(private readonly models: IcpService) {}

  /** Returns the model in use. */
  @Get()
  @Operation({
    id: 'getIcpModel',
    summary: 'Get the scoring model',
    description:
      'Returns the rules that leads are scored by, each with where it comes from, and how they classify the newest leads. ' +
      'Without a model, `icp_model` is null. Earlier versions are versions of the section `icp`: ' +
      'GET /v2/workspace/facts with `history=true`.',
    response: {
      type: CurrentIcpModel,
      description: 'The model, its rules in words, and how it classifies current leads.',
    },
  })
  read(@CurrentCaller() caller: Caller): Promise<CurrentModelResponse> {
    return this.models.read(caller);
  }

  /** Builds a model, and saves it unless this is a dry run. */
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
