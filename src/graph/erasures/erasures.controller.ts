import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Scopes } from '#kernel/auth/scopes.decorator.js';
import type { HandlerResponse } from '#kernel/http/handler-response.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { UuidParam } from '#kernel/http/openapi/path-params.decorators.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { Erasure, ErasureList, ErasuresQuery, MAX_ERASURES_LIMIT } from './erasures.dto.js';
import type { ErasurePage, ErasureResponse } from './erasures.presenter.js';
import { ErasuresService } from './erasures.service.js';

const DEFAULT_LIMIT = 100;

/** Endpoints for the erasures of a workspace. */
@ApiTags('erasures')
@Controller('v2/erasures')
@Scopes('admin')
export class ErasuresController {
  constructor(private readonly erasures: ErasuresService) {}

  /** Lists erasures, page by page. */
  @Get()
  @Operation({
    id: 'listErasures',
    summary: 'List erasures',
    description:
      'Returns the erasures of the workspace, newest first. They name IDs and counts, never the person. Requires ' +
      'the scope `admin`.',
    response: { type: ErasureList, description: 'A page of erasures.' },
  })
  list(@CurrentCaller() { workspaceId }: Caller, @Query() query: ErasuresQuery): Promise<ErasurePage> {
    const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MAX_ERASURES_LIMIT);
    return this.erasures.list(workspaceId, query.cursor ?? null, limit);
  }

  /** Reads one erasure. */
  @Get(':id')
  @UuidParam('erasure')
  @Operation({
    id: 'getErasure',
    summary: 'Get an erasure',
    description:
      'Returns the state of an erasure and what it has removed so far. Returns 404 `not_found` for an unknown ID. ' +
      'Requires the scope `admin`.',
    response: { type: Erasure, description: 'The erasure.' },
  })
  read(@CurrentCaller() { workspaceId }: Caller, @Param('id') id: string): Promise<ErasureResponse> {
    return this.erasures.read(workspaceId, id);
  }

  /** Lifts the suppression of an erasure. */
  @Post(':id/allow-reimport')
  @UuidParam('erasure')
  @Operation({
    id: 'allowReimport',
    summary: 'Allow an erased person to be imported again',
    description:
      'Deletes the hashes of the person’s identifiers, for example because the person is a customer again. A later ' +
      'write creates a new person with a new ID; nothing that was erased comes back. Returns 404 `not_found` for an ' +
      'unknown ID. Requires the scope `admin`.',
    response: { type: Erasure, description: 'The erasure, with `suppressed: false`.' },
    isIdempotent: true,
  })
  allowReimport(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('id') id: string,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<ErasureResponse>> {
    return this.erasures.allowReimport(workspaceId, id, key);
  }
}
