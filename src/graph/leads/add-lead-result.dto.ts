import { ApiProperty, ApiPropertyOptional, OmitType, PartialType } from '@nestjs/swagger';
import { LeadListMembershipDto, OutreachEvidenceDto } from '../dedup/outreach-class.dto.js';
import { ScoreResult } from '../score/score.dto.js';

/** A field of a row that was ignored or rejected. */
export class RowProblemDto {
  @ApiPropertyOptional({
    description: 'Position in a list, from 0. Omitted if the row as a whole is meant.',
    type: 'integer',
  })
  index?: number;
  @ApiProperty({ description: 'Name of the field.', example: 'email' }) field: string;
  @ApiProperty({ description: 'What is wrong, and how to fix it.', example: 'must be an e-mail address' })
  message: string;
}

/** Why a row was not added. */
export class RowErrorDto {
  @ApiProperty({ description: 'Error code, as in error responses.', example: 'invalid_request' }) error: string;
  @ApiPropertyOptional({ description: 'Explanation of the error, for display.' }) detail?: string;
  @ApiPropertyOptional({ description: 'Fields that are wrong.', type: [RowProblemDto] }) details?: RowProblemDto[];
}

/** The outreach class of a row. */
export class OutreachClassDto {
  @ApiProperty({
    description: 'Class of the contact. Only `net_new` contacts are safe for cold outreach.',
    enum: ['unsubscribed', 'bounced', 'engaged', 'net_new'],
  })
  outcome: string;
  @ApiProperty({ description: 'Rule that decided the outcome.', example: 'new' }) reason: string;
  @ApiProperty({
    description: 'Observation or list that decided the outcome. Null for `net_new`.',
    type: OutreachEvidenceDto,
    nullable: true,
  })
  evidence: OutreachEvidenceDto | null;
  @ApiProperty({ description: 'Other lead lists that the contact is in.', type: [LeadListMembershipDto] })
  lists: LeadListMembershipDto[];
  @ApiPropertyOptional({ description: 'Index of an earlier row with the same contact.', type: 'integer' })
  duplicate_of?: number;
  @ApiPropertyOptional({ description: 'Another, working address of a `bounced` contact.' }) alternate_email?: string;
}

/** Outcome of a row, with the score of the lead if it was scored. */
export class AddLeadResultDto extends PartialType(
  OmitType(ScoreResult, ['entity_id', 'lead_id', 'identifier'] as const),
) {
  @ApiProperty({
    description: 'Zero-based position of the row in the request.',
    type: 'integer',
    minimum: 0,
    example: 0,
  })
  index: number;
  @ApiProperty({
    description: 'Identifier that the row was resolved by. Null if it has none.',
    type: String,
    nullable: true,
    example: 'ada@acme.com',
  })
  identifier: string | null;
  @ApiProperty({
    description: 'ID of the lead. Null if the row was not added.',
    type: String,
    format: 'uuid',
    nullable: true,
  })
  lead_id: string | null;
  @ApiProperty({
    description: 'ID of the person. Null if the row was rejected.',
    type: String,
    format: 'uuid',
    nullable: true,
  })
  entity_id: string | null;
  @ApiProperty({
    description: 'What happened to the row.',
    enum: ['created', 'matched', 'duplicate', 'ambiguous', 'invalid'],
  })
  status: string;
  @ApiProperty({
    description: 'Form of the identifier that matched a known person. Null if none did.',
    type: String,
    nullable: true,
    example: null,
  })
  matched_on: string | null;
  @ApiPropertyOptional({ description: 'Fields of the row that were ignored.', type: [RowProblemDto] })
  warnings?: RowProblemDto[];
  @ApiPropertyOptional({ description: 'Outreach class of the contact, if requested.', type: OutreachClassDto })
  dedup?: OutreachClassDto;
  @ApiPropertyOptional({ description: 'Why the row was not added. Omitted if it was.', type: RowErrorDto })
  error?: RowErrorDto;
}
