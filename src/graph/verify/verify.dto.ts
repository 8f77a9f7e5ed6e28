import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { VERDICTS } from '#domain/verify/verdict.js';
import { ClaimDto } from '../claims/claim.dto.js';
import { focusProperty } from '../identity/focus.dto.js';

const ENTITY = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

/** The body of POST /v2/verify. Checked by `readVerifyRequest`. */
export class VerifyRequestDto {
  @ApiProperty(focusProperty('Subject of the fact: entity ID, e-mail address, domain, LinkedIn URL or name.', 2048))
  focus: string;

  @ApiPropertyOptional({
    enum: ['person', 'company'],
    description: 'Restricts a name lookup to people or companies.',
    example: 'person',
  })
  type?: string;

  @ApiPropertyOptional({
    description: 'Restricts a name lookup to people of this company, by its name or domain.',
    maxLength: 320,
    example: 'acme.com',
  })
  company?: string;

  @ApiProperty({
    description: 'Property to verify, such as `title`. Aliases such as `job_title` are accepted.',
    maxLength: 80,
    example: 'title',
  })
  property: string;

  @ApiPropertyOptional({
    description:
      'Value that you believe is true, any JSON. Null asks whether the fact has ended. Omit it to verify ' +
      'the current value.',
    nullable: true,
    example: 'VP Sales',
  })
  value?: unknown;

  @ApiPropertyOptional({
    description:
      'Whether to ask connected plugins to look up the fact again. Requires the scope `write`. Results ' +
      'arrive later as observations.',
    default: false,
    example: false,
  })
  refresh?: boolean;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Verify the fact as it was at this time, ISO 8601. Default: now.',
  })
  as_of?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Use only what had been recorded by this time, ISO 8601. Default: now.',
  })
  known_at?: string;
}

/** One way to make surer of a fact. */
export class RecommendationDto {
  @ApiProperty({
    description: 'Kind of check: `ask` a person, `verify` with a provider, `enrich` from a provider, or `research`.',
    enum: ['ask', 'verify', 'enrich', 'research'],
    example: 'ask',
  })
  how: string;
  @ApiProperty({ description: 'Source and method that the result would be recorded with.', example: 'user/manual' })
  source: string;
  @ApiProperty({
    minimum: 0,
    maximum: 1,
    description: 'Confidence the claim would have if the check confirmed the current value, 0 to 1.',
    example: 0.95,
  })
  expected_confidence: number;
}

/** The claim of a property that nothing is known about. */
export class UnknownClaimDto {
  @ApiProperty({ description: 'Property as named in the request.', example: 'title' }) property: string;
  @ApiProperty({ description: 'Always null: no value is known.', type: 'null', example: null }) value: null;
  @ApiProperty({ description: 'Always 0: nothing supports a value.', type: Number, enum: [0] }) confidence: number;
  @ApiProperty({ description: 'Always `unknown`: nothing was observed.', enum: ['unknown'] }) freshness: string;
  @ApiProperty({ description: 'Always `unknown`: nothing was observed.', enum: ['unknown'] }) epistemic_class: string;
}

/** Response of POST /v2/verify. */
@ApiExtraModels(UnknownClaimDto)
export class VerifyResult {
  @ApiProperty({
    description:
      'First that applies: `unknown`, `ended`, `changed` (differs from your value), `contested`, `stale`, ' +
      '`confirmed`.',
    enum: VERDICTS,
    example: 'confirmed',
  })
  verdict: string;
  @ApiProperty({
    description: 'Whether the claim is current, fresh, above 0.7 confidence, and neither contested nor only inferred.',
    example: true,
  })
  safe_to_use: boolean;
  @ApiProperty({ description: 'Entity that the fact is about.', format: 'uuid', example: ENTITY }) entity_id: string;
  @ApiProperty({ description: 'Property as named in the request.', example: 'title' }) property: string;
  @ApiProperty({
    type: ClaimDto,
    nullable: true,
    description: 'Claim as it was stored. Null if there was none.',
    example: null,
  })
  before: ClaimDto | null;
  @ApiProperty({
    oneOf: [{ $ref: getSchemaPath(ClaimDto) }, { $ref: getSchemaPath(UnknownClaimDto) }],
    description: 'Claim as recomputed from all observations, or an unknown claim if there are none.',
  })
  after: ClaimDto | UnknownClaimDto;
  @ApiProperty({
    description: 'Result in one sentence, for display.',
    example: 'title is "VP Sales", last stated on 2026-11-01.',
  })
  note: string;
  @ApiPropertyOptional({
    description: 'Whether the current value equals the value in the request. Omitted if none was sent.',
    example: true,
  })
  matches_value?: boolean;
  @ApiProperty({ description: 'Whether the stored claim differs from the recomputed one.', example: false })
  cached_differs: boolean;
  @ApiProperty({ type: [RecommendationDto], maxItems: 4, description: 'Ways to increase the confidence, best first.' })
  recommended: RecommendationDto[];
  @ApiPropertyOptional({
    format: 'uuid',
    description: 'ID of the refresh request. Omitted if no connected plugin supports refreshing.',
  })
  job_id?: string;
}
