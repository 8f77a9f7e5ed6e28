import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/caller.guard.js';
import { BATCH_BODY_LIMITS, BodyLimit } from '#kernel/http/json-parser.js';
import { Operation, UuidParam } from '#kernel/http/openapi/operation.decorator.js';
import { parseWith } from '#kernel/http/request-validation.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { attribute } from './author.js';
import { ObservationDetails, ObservationQuery } from './observation-details.dto.js';
import { ObservationReaderService, type ObservationResponse } from './observation-reader.service.js';
import { RecordResultDto, RecordObservationsRequest } from './observations.dto.js';
import { ObservationsService } from './observations.service.js';
import { readRecordRequest, type RecordRequest } from './record-call.js';
import type { RecordResponse } from './observations.presenter.js';

const recordExample = {
  focus: 'ada@acme.com',
  observations: [
    { kind: 'state', property: 'title', value: 'VP Sales', source: 'crm:hubspot', method: 'sync' },
    {
      kind: 'event',
      property: 'interaction.email_replied',
      value: { description: 'Asked for the price of the renewal' },
      observed_at: '2026-11-20T09:30:00Z',
      external_id: 'msg-8842',
    },
  ],
};

/** Endpoints of the observation log. */
@ApiTags('Observations')
@Controller('v2/observations')
export class ObservationsController {
  constructor(
    private readonly observations: ObservationsService,
    private readonly reader: ObservationReaderService,
  ) {}

  /** Records observations; the only way to write facts. */
  @Post()
  @BodyLimit(BATCH_BODY_LIMITS)
  @Operation({
    id: 'recordObservations',
    summary: 'Record observations',
    description:
      'Appends observations about one person or company, which is created if it does not exist, and ' +
      'recomputes the affected claims before it returns. Use it for every fact or interaction that your ' +
      'systems learn about. The batch is accepted or rejected as a whole. Observations are never changed or ' +
      'deleted: record a new one to correct a fact. Returns 400 `focus_and_observations_required` or ' +
      '`invalid_focus` for a missing or imprecise subject.',
    body: { type: RecordObservationsRequest, example: recordExample },
    response: { type: RecordResultDto, description: 'What was recorded, and which claims were recomputed.' },
    isIdempotent: true,
  })
  record(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parseWith(readRecordRequest)) request: RecordRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<RecordResponse>> {
    return this.observations.record(workspaceId, attribute(request), key);
  }

  /** Returns one observation. */
  @Get(':id')
  @UuidParam('observation')
  @Operation({
    id: 'getObservation',
    summary: 'Get an observation',
    description:
      'Returns one observation by its ID, which claims, timelines and the response to recording have; also one that was ' +
      'retracted since. Use `raw=true` to see what its source sent. Returns 404 `not_found` for an unknown ID, and for ' +
      'one that was erased with its person.',
    response: { type: ObservationDetails, description: 'The observation.' },
  })
  read(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('id') id: string,
    @Query() { raw }: ObservationQuery,
  ): Promise<ObservationResponse> {
    return this.reader.read(workspaceId, id, raw === 'true');
  }
}
