import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { parseWith } from '#kernel/http/request-validation.pipe.js';
import type { HandlerResponse } from '#kernel/http/handler-response.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { readTrustInput, parseTrustVersion } from './trust-request.js';
import { ChangeTrustRequest, TrustSettings, TrustQuery } from './trust.dto.js';
import { type TrustResponse, TrustService, type TrustInput } from './trust.service.js';

/** Endpoints for the trust in sources. */
@ApiTags('workspace')
@Controller('v2/workspace/trust')
export class TrustController {
  constructor(private readonly trust: TrustService) {}

  /** Reads the current or a past version. */
  @Get()
  @Operation({
    id: 'readTrust',
    summary: 'Read how far sources are trusted',
    description:
      'Every row that counts, those of the workspace among them, and how far claims are folded by it. With `version` or ' +
      '`as_of`, what an earlier version said: claims name theirs in `trust_version`.',
    response: { type: TrustSettings, description: 'The newest version, or the one that is asked for.' },
  })
  read(@CurrentCaller() { workspaceId }: Caller, @Query() query: TrustQuery): Promise<TrustResponse> {
    return this.trust.read(workspaceId, parseTrustVersion(query));
  }

  /** Adds a version. */
  @Post()
  @Operation({
    id: 'changeTrust',
    summary: 'Change how far sources are trusted',
    description:
      'Adds a version (versions are never changed) and folds the claims anew in the background, which begins some ' +
      'seconds later; claims name the version they were folded by. With `dry_run` a sample of the claims is compared.',
    body: { type: ChangeTrustRequest },
    response: { type: TrustSettings, description: 'The new version, or the one that says so already (200).' },
    status: 201,
    isIdempotent: true,
  })
  change(
    @CurrentCaller() { workspaceId, keyId }: Caller,
    @Body(parseWith(readTrustInput)) input: TrustInput,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<TrustResponse>> {
    return this.trust.change(workspaceId, keyId, input, key);
  }
}
