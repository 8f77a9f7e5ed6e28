import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PLAYS } from '#domain/score/play.js';
import { MAX_LEADS } from './inline-request.js';
import { MAX_IDENTIFIERS } from './score-request.js';

const ENTITY = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

/** The body of POST /v2/score. Checked by `readScoreRequest`, described here: exactly one of the first six. */
export class ScoreRequestDto {
  @ApiPropertyOptional({
    description: 'E-mail address, domain, LinkedIn URL, entity id or name of a lead of the graph.',
    maxLength: 2048,
    example: 'ada@acme.com',
  })
  identifier?: string;

  @ApiPropertyOptional({ description: 'The same as `identifier`.', maxLength: 2048 })
  focus?: string;

  @ApiPropertyOptional({ description: 'Id of a lead in a list.', format: 'uuid' })
  lead_id?: string;

  @ApiPropertyOptional({
    description: 'Many of them.',
    type: 'array',
    items: { type: 'string', maxLength: 2048 },
    minItems: 1,
    maxItems: MAX_IDENTIFIERS,
  })
  identifiers?: string[];

  @ApiPropertyOptional({
    description:
      'A lead that is not in the graph: title, seniority, company, industry, headcount, keywords (text or list), ' +
      'headline and any other property, and email, linkedin_url or domain to tell who it is.',
    type: 'object',
    additionalProperties: true,
  })
  attributes?: object;

  @ApiPropertyOptional({
    description: 'Many of them: attributes, or `{ref, attributes}`; `ref` is echoed.',
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    minItems: 1,
    maxItems: MAX_LEADS,
  })
  leads?: object[];

  @ApiPropertyOptional({ description: 'Refused when the model of the workspace is another one.', maxLength: 100 })
  icp_model_id?: string;

  @ApiPropertyOptional({ description: 'Whether reasons are told. Default: true, false for `leads`.' })
  explain?: boolean;

  @ApiPropertyOptional({ format: 'date-time', description: 'Score as of then, ISO 8601; writes nothing.' })
  as_of?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'By what had been recorded by then; writes nothing.' })
  known_at?: string;

  @ApiPropertyOptional({ description: 'Tell the score, and write nothing.', default: false })
  dry_run?: boolean;

  @ApiPropertyOptional({ description: 'Taken and left out of account.', maxLength: 500 })
  intent?: string;
}

/** One of the four layers. */
export class LayerDto {
  @ApiProperty({ enum: ['known', 'unknown'] }) status: string;
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, nullable: true, example: 80 }) score: number | null;
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Share of the rules that could be looked at.', example: 0.6 })
  coverage: number;
  @ApiProperty({ type: Number, nullable: true, description: 'How sure that is, 0 to 1.', example: 0.75 })
  trust: number | null;
  @ApiProperty({
    type: 'array',
    items: { type: 'object' },
    maxItems: 1000,
    description: '`{rule, text, points, ref_id}`; the points add up to the score.',
    example: [],
  })
  reasons: object[];
}

/** A rule that suppresses a lead. */
export class SuppressionDto {
  @ApiProperty({
    description:
      'ID of the rule in the scoring model, or one of `unsubscribed`, `do_not_contact`, `no_live_channel`, ' +
      '`own_domain`, `suppressed` (domain list of the model) and `low_fit`.',
    example: 'do_not_contact',
  })
  rule: string;
  @ApiProperty({ description: 'A sentence for people.', example: 'The contact must not be contacted.' }) text: string;
}

/** The four layers. */
export class ScoreLayers {
  @ApiProperty({ type: LayerDto }) fit: LayerDto;
  @ApiProperty({ type: LayerDto }) pain: LayerDto;
  @ApiProperty({ type: LayerDto }) intent: LayerDto;
  @ApiProperty({ type: LayerDto }) ability: LayerDto;
}

/** The answer of POST /v2/score about one lead. */
export class ScoreResult {
  @ApiProperty({ description: 'False for an identifier that names nobody, or several.', example: true })
  resolved: boolean;
  @ApiProperty({ description: 'Whether at least one layer is known.', example: true }) scored: boolean;
  @ApiPropertyOptional({
    enum: ['unknown_identifier', 'ambiguous', 'awaiting_enrichment', 'partial', 'no_attributes', 'no_model'],
    description: 'Why there is no score, or no whole one.',
  })
  reason?: string;
  @ApiPropertyOptional({ format: 'uuid', example: ENTITY }) entity_id?: string;
  @ApiPropertyOptional({ example: 'ada@acme.com' }) identifier?: string;
  @ApiProperty({ description: 'Whether the score is kept in the graph.', example: true }) persisted: boolean;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description:
      '`{score, fit, tier, reason, scored_at}`: Fit in short; score null when unknown, fit from 70 on, tier as the ' +
      'section `icp` sets it.',
  })
  icp?: object;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: '`{score, band}`: Intent in short; both null when unknown, band as the section `icp` sets it.',
  })
  intent?: object;
  @ApiPropertyOptional({ type: ScoreLayers }) layers?: ScoreLayers;
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object' },
    maxItems: 50,
    description: '`{layer, property, on, gain, how, reason}`: what to find out next, what matters most first.',
    example: [],
  })
  missing?: object[];
  @ApiPropertyOptional({ enum: PLAYS, example: 'work now' }) play?: string;
  @ApiPropertyOptional({ description: 'Row of the play table.', pattern: '^P(?:[1-9]|1[0-5])$', example: 'P8' })
  play_rule?: string;
  @ApiPropertyOptional({
    type: [SuppressionDto],
    maxItems: 1000,
    description: 'Every rule that suppresses the lead. Empty unless `play` is `suppress`.',
    example: [],
  })
  suppressed_by?: SuppressionDto[];
  @ApiPropertyOptional({ type: [String], maxItems: 6, description: 'What rules the lead out.', example: [] })
  flags?: string[];
  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: 100, nullable: true, example: 80 })
  priority?: number | null;
  @ApiPropertyOptional({ minimum: 0, maximum: 1, example: 0.21 }) priority_confidence?: number;
  @ApiPropertyOptional({ type: String, nullable: true, example: 'default@3' }) icp_model?: string | null;
  @ApiPropertyOptional({ type: 'array', items: { type: 'object' }, maxItems: 10, description: 'Of an ambiguous name.' })
  candidates?: object[];
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'object' },
    maxItems: MAX_LEADS,
    description: 'Of a list: one answer for each, in the order of the request.',
  })
  results?: object[];
}
