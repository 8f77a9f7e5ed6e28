import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { Scopes, CurrentCaller } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { parseWith } from '#kernel/http/request-validation.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { readTrustInput, parseTrustVersion } from './trust-request.js';
import { ChangeTrustRequest, TrustSettings, TrustQuery } from './trust.dto.js';
import { type TrustResponse, TrustService, type TrustInput } from './trust.service.js';

/** Endpoints for the trust in sources. */
@ApiTags('Workspace')
@Controller('v2/workspace/trust')
export class TrustController {
  constructor(private readonly trust: TrustService) {}

  /** Reads the current or a past version. */
  @Get()
  @Operation({
    id: 'readTrust',
    summary: 'Get trust settings',
    description:
      'Returns how much each kind of source is trusted and how quickly facts age, including the defaults. ' +
      'With `version` or `as_of`, returns an earlier version: claims name the version they were computed ' +
      'with in `trust_version`.',
    response: { type: TrustSettings, description: 'The newest version, or the requested one.' },
  })
  read(@CurrentCaller() { workspaceId }: Caller, @Query() query: TrustQuery): Promise<TrustResponse> {
    return this.trust.read(workspaceId, parseTrustVersion(query));
  }

  /** Adds a version. */
  @Post()
  @Scopes('settings')
  @Operation({
    id: 'changeTrust',
    summary: 'Update trust settings',
    description:
      'Creates a new version of the trust settings; earlier versions never change. All claims are ' +
      'recomputed in the background, starting within seconds, and name the new version in `trust_version`. ' +
      'Use `dry_run` to see the effect on a sample of claims first. Returns 409 `version_conflict` if ' +
      '`expected_version` is outdated. Settings equal to the current ones create no version and return 200.',
    body: {
      type: ChangeTrustRequest,
      example: {
        trust: [{ match: 'crm:hubspot/*', r: 0.9, class: 'asserted' }],
        half_lives: { title: 365 },
        note: 'Our CRM is kept by hand.',
      },
    },
    response: { type: TrustSettings, description: 'The new version.' },
    status: 201,
    existingDescription: 'The current version: nothing changed, or this was a dry run.',
    isIdempotent: true,
  })
  change(
    @CurrentCaller() { workspaceId, actor }: Caller,
    @Body(parseWith(readTrustInput)) input: TrustInput,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<TrustResponse>> {
    return this.trust.change(workspaceId, actor, input, key);
  }
}
