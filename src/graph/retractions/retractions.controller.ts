import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { CurrentCaller } from '#kernel/auth/caller.guard.js';
import type { Caller } from '#kernel/auth/caller.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import {
  RetractionPage,
  RetractionResult,
  RetractionsQuery,
  RetractObservation,
  RetractRequest,
  toRetractionsPage,
} from './retractions.dto.js';
import { readRetractRequest } from './retraction-request.js';
import type { RetractionList, RetractionResponse } from './retractions.presenter.js';
import { RetractionsService } from './retractions.service.js';

/** Endpoints that withdraw what a source stated. */
@ApiTags('Observations')
@Controller('v2')
export class RetractionsController {
  constructor(private readonly retractions: RetractionsService) {}

  /** Withdraws the next page of what a source stated. */
  @Post('retractions')
  @HttpCode(200)
  @Operation({
    id: 'retractSource',
    summary: 'Retract what a source stated',
    description:
      'Withdraws the observations and notes of a source as if it had never stated them, for example after a wrong ' +
      'import. All claims return to what they were; people and companies with nothing else known about them disappear, ' +
      'and so do leads that the source added and nobody has worked. Nothing is deleted from the log: with `known_at` ' +
      'before the retraction, everything is read as it was. Each call retracts up to `limit` rows; repeat it with ' +
      '`next_cursor` until that is null. What was retracted can be recorded again.',
    response: { type: RetractionResult, description: 'What this page has retracted, and the cursor of the next page.' },
    isIdempotent: true,
  })
  retract(
    @CurrentCaller() { workspaceId, actor }: Caller,
    @Body() body: RetractRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<RetractionResponse>> {
    return this.retractions.retract(workspaceId, actor, readRetractRequest(body), key);
  }

  /** Withdraws one observation. */
  @Post('observations/:id/retract')
  @HttpCode(200)
  @ApiParam({
    name: 'id',
    description: 'ID of the observation, as the response to recording, timelines and claims have it.',
    schema: { type: 'string', format: 'uuid' },
  })
  @Operation({
    id: 'retractObservation',
    summary: 'Retract an observation',
    description:
      'Withdraws one observation as if it had never been stated, for example a correction that was a mistake: the claim ' +
      'returns to what it was. Nothing is deleted from the log: with `known_at` before the retraction, it is read as it ' +
      'was. Returns 404 `not_found` for an observation that does not exist or was retracted before, and 400 ' +
      '`invalid_request` for one that the hub derived.',
    body: { type: RetractObservation, example: { reason: 'Stated by mistake' } },
    response: { type: RetractionResult, description: 'What was retracted.' },
    isIdempotent: true,
  })
  retractOne(
    @CurrentCaller() { workspaceId, actor }: Caller,
    @Param('id') id: string,
    @Body() { reason, dry_run: dryRun = false }: RetractObservation,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<RetractionResponse>> {
    return this.retractions.retractOne(workspaceId, actor, { id, reason: reason ?? null, dryRun }, key);
  }

  /** Lists retractions. */
  @Get('retractions')
  @Operation({
    id: 'listRetractions',
    summary: 'List retractions',
    description: 'Returns the retractions of the workspace, newest first, with who made them and why.',
    response: { type: RetractionPage, description: 'A page of retractions.' },
  })
  list(@CurrentCaller() { workspaceId }: Caller, @Query() query: RetractionsQuery): Promise<RetractionList> {
    const { before, limit } = toRetractionsPage(query);
    return this.retractions.list(workspaceId, before, limit);
  }
}
