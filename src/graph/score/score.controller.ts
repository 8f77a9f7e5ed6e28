import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { BATCH_BODY_LIMITS, BodyLimit } from '#kernel/http/body-limit.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { parsedBy } from '#kernel/http/validation.js';
import type { Answered } from '#kernel/idempotency/answered.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import type { JsonText } from '#kernel/idempotency/json-text.js';
import { ScoreCalls } from './score-calls.service.js';
import { readScoreRequest, type ScoreRequest } from './score-request.js';
import { ScoreDto, ScoreRequestDto } from './score.dto.js';
import type { ScoreAnswer, ScoreAnswers } from './shown-score.js';

/** The layered read of leads. */
@ApiTags('score')
@Controller('v2/score')
export class ScoreController {
  constructor(private readonly scores: ScoreCalls) {}

  /** One lead or many, in the graph or described by the caller. */
  @Post()
  @BodyLimit(BATCH_BODY_LIMITS)
  @Operation({
    id: 'scoreLeads',
    summary: 'Score leads',
    description:
      'Fit, Pain, Intent and Ability of a lead, what to find out next, and what to do. A layer without evidence is ' +
      '`unknown`, never 0, and `priority` combines the known ones only. Send exactly one of `identifier`, ' +
      '`identifiers`, `lead_id` (leads of the graph; the score is recorded), `attributes`, `leads` (described by you; ' +
      'nothing is written). An identifier that names nobody is answered 200 with `resolved: false`. Lists answer ' +
      '`{results: [...], persisted}` in their order.',
    body: { type: ScoreRequestDto },
    answer: { type: ScoreDto, description: 'The score; for `identifiers` and `leads` a list of them in `results`.' },
    writes: true,
  })
  score(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parsedBy(readScoreRequest)) request: ScoreRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<Answered<ScoreAnswer | ScoreAnswers | JsonText>> {
    return this.scores.tell(workspaceId, request, key);
  }
}
