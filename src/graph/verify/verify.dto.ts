import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { VERDICTS } from '#domain/verify/verdict.js';

const ENTITY = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

/** The body of POST /v2/verify. Checked by `readVerifyRequest`. */
export class VerifyRequestDto {
  @ApiProperty({
    description: 'E-mail address, domain, LinkedIn URL, entity id or name.',
    maxLength: 2048,
    example: 'ada@acme.com',
  })
  focus: string;

  @ApiPropertyOptional({ enum: ['person', 'company'], description: 'Narrows a name down.', example: 'person' })
  type?: string;

  @ApiPropertyOptional({
    description: 'Narrows a name down: name or domain of the company.',
    maxLength: 320,
    example: 'acme.com',
  })
  company?: string;

  @ApiProperty({ description: 'The fact, by any of its names.', maxLength: 80, example: 'title' })
  property: string;

  @ApiPropertyOptional({
    description: 'What you believe: any JSON. Null asks whether the fact has ended.',
    nullable: true,
    example: 'VP Sales',
  })
  value?: unknown;

  @ApiPropertyOptional({
    description:
      'Ask connected plugins to look the fact up anew (check the address, enrich the contact); needs the scope `write`. ' +
      'What they find arrives as observations.',
    default: false,
    example: false,
  })
  refresh?: boolean;

  @ApiPropertyOptional({ format: 'date-time', description: 'What was the case then, ISO 8601. Default: now.' })
  as_of?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'By what had been recorded by then. Default: now.' })
  known_at?: string;
}

/** One way to make surer of a fact. */
export class RecommendationDto {
  @ApiProperty({ enum: ['ask', 'verify', 'enrich', 'research'], example: 'ask' }) how: string;
  @ApiProperty({ description: 'Source and method that the answer would be recorded with.', example: 'user/manual' })
  source: string;
  @ApiProperty({
    minimum: 0,
    maximum: 1,
    description: 'What the confidence would be if the answer were what is known now.',
    example: 0.95,
  })
  expected_confidence: number;
}

const claim = { type: 'object', additionalProperties: true } as const;

/** The answer of POST /v2/verify. For a name that several bear: `status`, `query`, `count`, `candidates`. */
export class VerifyResult {
  @ApiProperty({ enum: VERDICTS, example: 'confirmed' }) verdict: string;
  @ApiProperty({ description: 'Current, fresh, surer than 0.7 and not contested.', example: true })
  safe_to_use: boolean;
  @ApiProperty({ format: 'uuid', example: ENTITY }) entity_id: string;
  @ApiProperty({ description: 'As you have asked for it.', example: 'title' }) property: string;
  @ApiProperty({ ...claim, nullable: true, description: 'The claim as it is kept; null when none is.', example: null })
  before: object | null;
  @ApiProperty({
    ...claim,
    description: 'The claim as the log gives it. Of an unknown fact: value null, confidence 0, freshness `unknown`.',
    example: {
      property: 'title',
      value: 'VP Sales',
      confidence: 0.75,
      freshness: 'fresh',
      epistemic_class: 'asserted',
    },
  })
  after: object;
  @ApiProperty({
    description: 'What was found, as a sentence.',
    example: 'title is "VP Sales", last stated on 2026-11-01.',
  })
  note: string;
  @ApiPropertyOptional({ description: 'Whether the value you named is the value.', example: true })
  matches_value?: boolean;
  @ApiProperty({ description: 'Whether the kept claim says anything else than the log.', example: false })
  cached_differs: boolean;
  @ApiProperty({ type: [RecommendationDto], maxItems: 4, description: 'How to make surer of it, the best first.' })
  recommended: RecommendationDto[];
  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Of `refresh`: names the wish. Missing when no connected plugin looks facts up.',
  })
  job_id?: string;
}
