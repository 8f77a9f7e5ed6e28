import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { EntityCandidateDto } from '../identity/focus.dto.js';

/** A rule that contributed to a layer. */
export class ScoreReasonDto {
  @ApiProperty({
    type: String,
    example: 'headcount',
    description: 'ID of the rule in the scoring model, or of a built-in rule.',
  })
  rule: string;
  @ApiProperty({ type: String, example: '120 employees', description: 'The reason as a sentence, for display.' })
  text: string;
  @ApiProperty({
    type: 'integer',
    example: 30,
    description: 'Points of the rule. The points of a layer add up to its score.',
  })
  points: number;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'ID of the observation behind it. Null for attributes sent in the request.',
  })
  ref_id: string | null;
}

/** Short form of the Fit layer. */
export class ScoreIcpDto {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    example: 82,
    nullable: true,
    description: 'Fit score, 0 to 100. Null if unknown.',
  })
  score: number | null;
  @ApiProperty({ type: Boolean, nullable: true, description: 'Whether the score is at least 70. Null if unknown.' })
  fit: boolean | null;
  @ApiProperty({
    type: String,
    enum: ['tier_1', 'tier_2', 'tier_3', 'not_icp', null],
    nullable: true,
    description: 'Tier that the score falls into. Null if unknown.',
  })
  tier: string | null;
  @ApiProperty({
    type: String,
    example: 'Company size fits.',
    nullable: true,
    description: 'Strongest reasons in one sentence. Null if unknown.',
  })
  reason: string | null;
  @ApiProperty({ type: String, format: 'date-time', description: 'Time at which the score was computed, ISO 8601.' })
  scored_at: string;
}

/** Short form of the Intent layer. */
export class ScoreIntentDto {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: 100,
    example: 64,
    nullable: true,
    description: 'Intent score, 0 to 100. Null if unknown.',
  })
  score: number | null;
  @ApiProperty({
    type: String,
    enum: ['Red-hot', 'Hot', 'Warm', 'Aware', 'Dormant', null],
    nullable: true,
    description: 'Band that the score falls into. Null if unknown.',
  })
  band: string | null;
}

/** A fact worth finding out. */
export class MissingPropertyDto {
  @ApiProperty({ enum: ['fit', 'pain', 'intent', 'ability'], description: 'Layer that the fact would improve.' })
  layer: string;
  @ApiProperty({ type: String, example: 'headcount', description: 'Property to find out.' })
  property: string;
  @ApiProperty({ enum: ['person', 'company'], description: 'Whether the fact is about the person or the company.' })
  on: string;
  @ApiProperty({ type: Number, example: 12, description: 'Points of the priority that depend on it, 0 to 100.' })
  gain: number;
  @ApiProperty({ enum: ['enrich', 'research', 'ask', 'verify'], description: 'How to find it out.' })
  how: string;
  @ApiProperty({
    enum: ['absent', 'expired', 'contested', 'low_confidence'],
    description: 'Why the known value, if any, does not count.',
  })
  reason: string;
}

/** Result for an identifier that matches no entity or several. */
export class UnresolvedLead {
  @ApiProperty({ type: Boolean, enum: [false], description: 'Always false: no single entity matches.' })
  resolved: object;
  @ApiProperty({ type: Boolean, enum: [false], description: 'Always false: nothing was scored.' })
  scored: object;
  @ApiProperty({
    enum: ['unknown_identifier', 'ambiguous'],
    description: 'Whether the identifier matches no entity or several.',
  })
  reason: string;
  @ApiPropertyOptional({ type: String, example: 'ada@acme.com', description: 'Identifier from the request, echoed.' })
  identifier?: string;
  @ApiPropertyOptional({ type: String, format: 'uuid', description: 'Lead ID from the request, echoed.' })
  lead_id?: string;
  @ApiProperty({ type: Boolean, enum: [false], description: 'Always false: nothing was recorded.' })
  persisted: object;
  @ApiPropertyOptional({
    enum: ['ambiguous'],
    description: '`ambiguous` if the name matches several entities; omitted otherwise.',
  })
  status?: string;
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    example: 2,
    description: 'Number of entities that match an ambiguous name.',
  })
  count?: number;
  @ApiPropertyOptional({
    type: [EntityCandidateDto],
    maxItems: 10,
    description: 'Entities that an ambiguous name matches, at most 10.',
  })
  candidates?: EntityCandidateDto[];
}
