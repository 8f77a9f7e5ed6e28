import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { parseInstant } from '#domain/time/instant.js';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller, Scopes } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import type { PresentedMark } from './attention.presenter.js';
import { AttentionMarkDto, FinishItem, ReopenedItem, SnoozeItem } from './marks.dto.js';
import { AttentionMarksService, type ReopenedResponse } from './marks.service.js';

const ITEM = {
  name: 'id',
  description: 'ID of the item, as the attention list has it.',
  schema: { type: 'string', maxLength: 400 },
} as const;
const PROBLEMS =
  'Returns 400 `invalid_request` for what is no ID of an item, and 404 `not_found` for an item of an unknown entity.';
const NO_MARK = 'Returns 404 `not_found` for an item without such a mark.';

/** Endpoints that put items of the attention list off, or mark them as done. */
@ApiTags('Attention')
@Controller('v2/attention/:id')
@Scopes('write')
export class AttentionMarksController {
  constructor(private readonly marks: AttentionMarksService) {}

  /** Puts an item off. */
  @Post('snooze')
  @HttpCode(200)
  @ApiParam(ITEM)
  @Operation({
    id: 'snoozeAttentionItem',
    summary: 'Snooze an attention item',
    description: `Puts an item off: until that time it is left out of the list, for everybody in the workspace. Snoozing it again changes the time. ${PROBLEMS}`,
    body: { type: SnoozeItem, example: { until: '2027-01-11T08:00:00Z' } },
    response: { type: AttentionMarkDto, description: 'The mark.' },
    isIdempotent: true,
  })
  snooze(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { until }: SnoozeItem,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<PresentedMark>> {
    return this.marks.snooze(caller, id, parseInstant(until)!, key);
  }

  /** Shows a snoozed item again. */
  @Delete('snooze')
  @ApiParam(ITEM)
  @Operation({
    id: 'unsnoozeAttentionItem',
    summary: 'Unsnooze an attention item',
    description: `Shows a snoozed item again at once. ${NO_MARK}`,
    response: { type: ReopenedItem, description: 'The item is open.' },
    isIdempotent: true,
  })
  unsnooze(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<ReopenedResponse>> {
    return this.marks.reopen(caller, id, 'snoozed', key);
  }

  /** Marks an item as done. */
  @Post('done')
  @HttpCode(200)
  @ApiParam(ITEM)
  @Operation({
    id: 'finishAttentionItem',
    summary: 'Mark an attention item as done',
    description:
      'Leaves an item out of the list, for everybody in the workspace, until there is a newer reason for it: a deal that ' +
      `went quiet a second time, a fact that was stated and decayed again. ${PROBLEMS}`,
    body: { type: FinishItem, example: { note: 'Called her; the contract comes on Friday.' } },
    response: { type: AttentionMarkDto, description: 'The mark.' },
    isIdempotent: true,
  })
  finish(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { note }: FinishItem,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<PresentedMark>> {
    return this.marks.finish(caller, id, note ?? null, key);
  }

  /** Shows an item again that was marked as done. */
  @Delete('done')
  @ApiParam(ITEM)
  @Operation({
    id: 'reopenAttentionItem',
    summary: 'Reopen an attention item',
    description: `Shows an item again that was marked as done. ${NO_MARK}`,
    response: { type: ReopenedItem, description: 'The item is open.' },
    isIdempotent: true,
  })
  reopen(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<ReopenedResponse>> {
    return this.marks.reopen(caller, id, 'done', key);
  }
}
