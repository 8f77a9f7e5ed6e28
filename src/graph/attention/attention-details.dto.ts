import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** The company of an attention item. */
export class AttentionCompanyDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'ID of the company.' })
  id: string;
  @ApiProperty({ type: String, example: 'Acme', nullable: true, description: 'Display name. Null if unknown.' })
  name: string | null;
}

/** The subject of an attention item. */
export class AttentionEntityDto {
  @ApiProperty({ type: String, format: 'uuid', description: 'Unique identifier of the entity.' })
  id: string;
  @ApiProperty({ enum: ['person', 'company'], description: 'Whether the subject is a person or a company.' })
  type: string;
  @ApiProperty({ type: String, example: 'Ada Lovelace', nullable: true, description: 'Display name. Null if unknown.' })
  name: string | null;
  @ApiProperty({
    type: AttentionCompanyDto,
    nullable: true,
    description: 'Company of the person. Null for companies, and if unknown.',
  })
  company: AttentionCompanyDto | null;
}

/** The recommended next step. */
export class SuggestedActionDto {
  @ApiProperty({
    type: String,
    example: 'work now',
    nullable: true,
    description: 'Play of the latest score. Null if not scored.',
  })
  play: string | null;
  @ApiProperty({ type: String, example: 'Get in touch today.', description: 'Recommended next step, in one sentence.' })
  action: string;
  @ApiPropertyOptional({ type: [String], description: 'Properties to find out first. Omitted if there are none.' })
  missing?: string[];
}
