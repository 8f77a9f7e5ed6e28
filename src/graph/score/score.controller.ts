import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller, Scopes } from '#kernel/auth/caller.guard.js';
import { BATCH_BODY_LIMITS, BodyLimit, type JsonText } from '#kernel/http/json-parser.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { parseWith } from '#kernel/http/request-validation.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { ScoreService } from './score.service.js';
import { readScoreRequest, type ScoreRequest } from './score-request.js';
import { ScoreResult, ScoreResultList, ScoreRequestDto } from './score.dto.js';
import { UnresolvedLead } from './score-details.dto.js';
import type { ScoreResponse, ScoreListResponse } from './score.presenter.js';

/** Serves the score endpoint. */
@ApiTags('Score')
@Controller('v2/score')
export class ScoreController {
  constructor(private readonly scores: ScoreService) {}

  /** Scores one or many leads, of the graph or described by the caller. */
  @Post()
  @Scopes('read')
  @BodyLimit(BATCH_BODY_LIMITS)
  @Operation({
    id: 'scoreLeads',
    summary: 'Score leads',
    description:
      'Returns Fit, Pain, Intent and Ability of a lead, what to find out next, and the recommended play. A ' +
      'layer without evidence is `unknown`, never 0, and `priority` combines only the known layers. Send ' +
      'exactly one of `identifier`, `identifiers` or `lead_id` for leads in the graph, whose score is ' +
      'recorded (which needs the scope `write`, unless `dry_run` is set), or `attributes` or `leads` to score described leads without writing anything. An unknown ' +
      'or ambiguous identifier returns 200 with `resolved: false`. For `identifiers` and `leads` the ' +
      'response is `{results, persisted}`, in the order of the request.',
    body: { type: ScoreRequestDto, example: { attributes: { title: 'VP Sales', company: 'Acme', headcount: 120 } } },
    response: {
      type: ScoreResult,
      alternatives: [UnresolvedLead, ScoreResultList],
      description: 'The score; for `identifiers` and `leads`, a list of scores in `results`.',
    },
    isIdempotent: true,
  })
  score(
    @CurrentCaller() caller: Caller,
    @Body(parseWith(readScoreRequest)) request: ScoreRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<ScoreResponse | ScoreListResponse | JsonText>> {
    return this.scores.scoreToJson(caller, request, key);
  }
}
