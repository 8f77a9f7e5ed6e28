import { ApiExtraModels, ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { PLAYS } from '#domain/score/play.js';
import { MAX_LEADS, MAX_IDENTIFIERS } from './score-request.js';
import {
  MissingPropertyDto,
  ScoreIcpDto,
  ScoreIntentDto,
  ScoreReasonDto,
  UnresolvedLead,
} from './score-details.dto.js';

const ENTITY = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

/** The body of POST /v2/score. Checked by `readScoreRequest`, described here: exactly one of the first six. */
export class ScoreRequestDto {
  @ApiPropertyOptional({
    description: 'Lead in the graph: e-mail address, domain, LinkedIn URL, entity ID or name.',
    maxLength: 2048,
    example: 'ada@acme.com',
  })
  identifier?: string;

  @ApiPropertyOptional({ description: 'Alias of the field `identifier`.', maxLength: 2048 })
  focus?: string;

  @ApiPropertyOptional({ description: 'ID of a lead in a lead list.', format: 'uuid' })
  lead_id?: string;

  @ApiPropertyOptional({
    description: 'Several leads in the graph, each as in `identifier`. Results come back in the same order.',
    type: 'array',
    items: { type: 'string', maxLength: 2048 },
    minItems: 1,
    maxItems: MAX_IDENTIFIERS,
  })
  identifiers?: string[];

  @ApiPropertyOptional({
    description:
      'Facts about a lead that is not in the graph: `title`, `seniority`, `company`, `industry`, ' +
      '`headcount`, `keywords` (text or list), `headline` or any other property. Add `email`, ' +
      '`linkedin_url` or `domain` to identify it. Nothing is written.',
    type: 'object',
    additionalProperties: true,
  })
  attributes?: object;

  @ApiPropertyOptional({
    description:
      'Several leads that are not in the graph: attributes, or `{ref, attributes}` where `ref` is echoed in ' +
      'the result. Nothing is written.',
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    minItems: 1,
    maxItems: MAX_LEADS,
  })
  leads?: object[];

  @ApiPropertyOptional({
    description:
      'Score only if this is the current model of the workspace, such as `default@3`. Returns an error if ' +
      'another model is active.',
    maxLength: 100,
  })
  icp_model_id?: string;

  @ApiPropertyOptional({
    description: 'Whether each layer includes its `reasons`. Default: true, but false for `leads`.',
  })
  explain?: boolean;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Score with the facts that held at this time, ISO 8601. Nothing is written. Default: now.',
  })
  as_of?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Score with what had been recorded by this time, ISO 8601. Nothing is written. Default: now.',
  })
  known_at?: string;

  @ApiPropertyOptional({ description: 'Set to true to compute the score without recording it.', default: false })
  dry_run?: boolean;

  @ApiPropertyOptional({ description: 'Accepted for compatibility; ignored.', maxLength: 500 })
  intent?: string;
}

/** One of the four layers. */
@ApiSchema({ name: 'ScoreLayer' })
export class LayerDto {
  @ApiProperty({
    description: '`known` if there is evidence for the layer, else `unknown`.',
    enum: ['known', 'unknown'],
  })
  status: string;
  @ApiProperty({
    description: 'Score of the layer, 0 to 100. Null if the layer is unknown, never 0 for lack of evidence.',
    type: 'integer',
    minimum: 0,
    maximum: 100,
    nullable: true,
    example: 80,
  })
  score: number | null;
  @ApiProperty({
    minimum: 0,
    maximum: 1,
    description: "Share of the layer's rules, by weight, whose properties are known: 0 to 1.",
    example: 0.6,
  })
  coverage: number;
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Confidence in the facts behind the score, 0 to 1. Null if the layer is unknown.',
    example: 0.75,
  })
  trust: number | null;
  @ApiProperty({
    type: [ScoreReasonDto],
    maxItems: 1000,
    description: 'Rules that contributed to the score, with their points. Empty without `explain`.',
  })
  reasons: ScoreReasonDto[];
}

/** A rule that suppresses a lead. */
export class SuppressionDto {
  @ApiProperty({
    description:
      'ID of the rule in the scoring model, or one of `unsubscribed`, `do_not_contact`, `no_live_channel`, ' +
      "`own_domain`, `suppressed` (the model's domain list) and `low_fit`.",
    example: 'do_not_contact',
  })
  rule: string;
  @ApiProperty({
    description: 'Reason for the suppression in one sentence, for display.',
    example: 'The contact must not be contacted.',
  })
  text: string;
}

/** The four layers. */
export class ScoreLayers {
  @ApiProperty({ description: 'How well the lead matches the ideal customer profile.', type: LayerDto }) fit: LayerDto;
  @ApiProperty({ description: 'How strongly the lead has the problem that the product solves.', type: LayerDto })
  pain: LayerDto;
  @ApiProperty({ description: 'How strongly recent behaviour signals interest in buying.', type: LayerDto })
  intent: LayerDto;
  @ApiProperty({ description: 'Whether the lead can be reached and can decide.', type: LayerDto }) ability: LayerDto;
}

/** Response of POST /v2/score about one lead. */
export class ScoreResult {
  @ApiProperty({
    description: 'Always true: the lead is in the graph, or was described in the request.',
    enum: [true],
    type: Boolean,
    example: true,
  })
  resolved: boolean;
  @ApiProperty({ description: 'Whether at least one layer is known.', example: true }) scored: boolean;
  @ApiPropertyOptional({
    enum: ['awaiting_enrichment', 'partial', 'no_attributes', 'no_model'],
    description: 'Why the score is missing or partial. Omitted for a complete score.',
  })
  reason?: string;
  @ApiPropertyOptional({
    description: 'Entity that was scored. Omitted if the lead is not in the graph.',
    format: 'uuid',
    example: ENTITY,
  })
  entity_id?: string;
  @ApiPropertyOptional({ description: 'Identifier from the request, echoed.', example: 'ada@acme.com' })
  identifier?: string;
  @ApiPropertyOptional({ description: 'Lead in a lead list, if the request named one.', format: 'uuid' })
  lead_id?: string;
  @ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'number' }],
    description: 'Your reference for the lead, echoed.',
  })
  ref?: string | number;
  @ApiPropertyOptional({
    enum: ['inline'],
    description: '`inline` if the request described the lead; omitted otherwise.',
  })
  source?: string;
  @ApiProperty({ description: 'Whether the score was recorded in the graph.', example: true }) persisted: boolean;
  @ApiProperty({ type: ScoreIcpDto, description: 'Short form of the Fit layer.' })
  icp: ScoreIcpDto;
  @ApiProperty({ type: ScoreIntentDto, description: 'Short form of the Intent layer.' })
  intent: ScoreIntentDto;
  @ApiProperty({
    description: 'The four layers of the score.',
    type: ScoreLayers,
  })
  layers: ScoreLayers;
  @ApiProperty({
    type: [MissingPropertyDto],
    maxItems: 50,
    description: 'Properties worth finding out next, most useful first.',
  })
  missing: MissingPropertyDto[];
  @ApiProperty({ description: 'Recommended next step for the lead.', enum: PLAYS, example: 'work now' })
  play: string;
  @ApiProperty({
    description: 'Row of the play table that decided, `P1` to `P15`.',
    pattern: '^P(?:[1-9]|1[0-5])$',
    example: 'P8',
  })
  play_rule: string;
  @ApiProperty({
    type: [SuppressionDto],
    maxItems: 1000,
    description: 'Rules that suppress the lead. Empty unless `play` is `suppress`.',
    example: [],
  })
  suppressed_by: SuppressionDto[];
  @ApiProperty({
    type: [String],
    maxItems: 6,
    description: 'Names of the disqualifying conditions that apply to the lead.',
    example: [],
  })
  flags: string[];
  @ApiProperty({
    description: 'Priority of the lead, 0 to 100, combined from the known layers. Null if no layer is known.',
    type: 'integer',
    minimum: 0,
    maximum: 100,
    nullable: true,
    example: 80,
  })
  priority: number | null;
  @ApiProperty({
    description: 'Confidence in the priority, 0 to 1; grows with the number of known layers.',
    minimum: 0,
    maximum: 1,
    example: 0.21,
  })
  priority_confidence: number;
  @ApiProperty({
    description: 'ID and version of the scoring model, such as `default@3`. Null if the workspace has none.',
    type: String,
    nullable: true,
    example: 'default@3',
  })
  icp_model: string | null;
}

/** Response of POST /v2/score about several leads. */
@ApiExtraModels(ScoreResult, UnresolvedLead)
export class ScoreResultList {
  @ApiProperty({
    type: 'array',
    items: { oneOf: [{ $ref: getSchemaPath(ScoreResult) }, { $ref: getSchemaPath(UnresolvedLead) }] },
    maxItems: MAX_LEADS,
    description: 'One result per lead, in the order of the request.',
  })
  results: (ScoreResult | UnresolvedLead)[];
  @ApiProperty({ description: 'Whether any score was recorded in the graph.', example: false }) persisted: boolean;
}
