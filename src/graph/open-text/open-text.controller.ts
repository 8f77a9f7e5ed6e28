import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/caller.guard.js';
import { BATCH_BODY_LIMITS, BodyLimit } from '#kernel/http/json-parser.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { parseWith } from '#kernel/http/request-validation.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import type { RecordTextResponse } from './open-text.presenter.js';
import { RecordTextResult, RecordTextRequest } from './open-text.dto.js';
import { attributeText, type OpenTextInput, readOpenTextInput } from './open-text-request.js';
import { OpenTextService } from './open-text.service.js';

/** Serves the endpoint that records from text. */
@ApiTags('Observations')
@Controller('v2/observations/from-text')
export class OpenTextController {
  constructor(private readonly openText: OpenTextService) {}

  /** Records a text and the observations extracted from it. */
  @Post()
  @BodyLimit(BATCH_BODY_LIMITS)
  @Operation({
    id: 'recordFromText',
    summary: 'Record observations from text',
    description:
      'Stores a text as the event `interaction.note`, extracts facts from it by rules (and by the ' +
      'configured language model, if any), and records those that are certain. Statements that are negated, ' +
      'questioned, uncertain, past or about somebody else are returned in `needs_review` instead. Omit ' +
      '`focus` if the text names exactly one person by e-mail address or LinkedIn URL. You can add ' +
      '`observations` of your own; with `evidence`, they must quote the text. With `dry_run` nothing is ' +
      'written.',
    body: {
      type: RecordTextRequest,
      example: { focus: 'ada@acme.com', text: 'Ada is now CRO. Their budget is 40k, and they decide in March.' },
    },
    response: {
      type: RecordTextResult,
      description: 'What was recorded and what needs review, each with the supporting words.',
    },
    isIdempotent: true,
  })
  record(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parseWith(readOpenTextInput)) request: OpenTextInput,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<RecordTextResponse>> {
    return this.openText.record(workspaceId, attributeText(request), key);
  }
}
