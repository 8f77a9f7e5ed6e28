import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { MAX_FOCUS_LENGTH } from '#domain/identity/web-address.js';
import { NotBlank } from '#kernel/http/validation.decorators.js';
import { ClaimDto } from '../claims/claim.dto.js';
import { AccountIdentifierDto } from './account-details.dto.js';

const MAX_CLAIMS = 1_000;

/** The query of GET /v2/accounts/merge-preview. */
export class MergePreviewQuery {
  @ApiProperty({
    description: 'One of the two: UUID, e-mail address, domain or LinkedIn URL.',
    maxLength: MAX_FOCUS_LENGTH,
    example: 'acme.com',
  })
  @IsString()
  @NotBlank()
  @MaxLength(MAX_FOCUS_LENGTH)
  a: string;

  @ApiProperty({
    description: 'The other one, in the same forms.',
    maxLength: MAX_FOCUS_LENGTH,
    example: 'acme.io',
  })
  @IsString()
  @NotBlank()
  @MaxLength(MAX_FOCUS_LENGTH)
  b: string;
}

/** One of two entities that may be merged. */
class MergePreviewSide {
  @ApiProperty({
    description: 'Canonical ID of the entity.',
    format: 'uuid',
    example: '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17',
  })
  entity_id: string;

  @ApiProperty({
    description: 'Name of the entity. Null if nobody has stated one.',
    type: String,
    nullable: true,
    maxLength: 1000,
    example: 'Ada Byron',
  })
  name: string | null;

  @ApiProperty({
    description: 'Identifiers of the entity, the oldest first. Those that the other one claims too are `disputed`.',
    type: [AccountIdentifierDto],
    maxItems: 10_000,
  })
  identifiers: AccountIdentifierDto[];

  @ApiProperty({ description: 'Claims of the entity now, by property.', type: [ClaimDto], maxItems: MAX_CLAIMS })
  claims: ClaimDto[];
}

/** Response of GET /v2/accounts/merge-preview. */
export class MergePreview {
  @ApiProperty({
    description: 'The two entities, in the order of the request.',
    type: [MergePreviewSide],
    maxItems: 2,
  })
  entities: MergePreviewSide[];

  @ApiProperty({
    description: 'Claims that they would have as one, derived from the history of both, by property.',
    type: [ClaimDto],
    maxItems: MAX_CLAIMS,
  })
  claims: ClaimDto[];
}
