import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import { ToInt } from '#kernel/http/validation.decorators.js';

const uuid = { format: 'uuid', example: '0199f3a0-5b1c-7d34-9a1e-2f6b8c0d4e11' } as const;
const time = { format: 'date-time', example: '2026-11-20T09:30:00.000000Z' } as const;

/** The query of GET /v2/lead-lists. */
export class LeadListsQuery {
  @ApiPropertyOptional({
    description: 'Maximum number of lists on a page. Values above 1000 are treated as 1000.',
    type: 'integer',
    default: 100,
    minimum: 1,
    maximum: 1_000,
  })
  @IsOptional()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;

  @ApiPropertyOptional({ description: '`next_cursor` of the previous page.', maxLength: 500 })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  cursor?: string;
}

/** The body of POST /v2/lead-lists. */
export class CreateLeadListRequest {
  @ApiProperty({ description: 'Display name of the list.', type: String, maxLength: 200, example: 'Webinar November' })
  name: string;
  @ApiPropertyOptional({
    description: 'Where the list comes from, such as `webinar`.',
    type: String,
    maxLength: 200,
    default: 'manual',
    example: 'manual',
  })
  source?: string;
}

/** A lead list. */
export class LeadList {
  @ApiProperty({ ...uuid, description: 'Unique identifier of the list.' }) id: string;
  @ApiProperty({ ...uuid, description: 'Workspace that the list belongs to.' }) workspace_id: string;
  @ApiProperty({ description: 'Display name of the list.', maxLength: 200, example: 'Webinar November' }) name: string;
  @ApiProperty({ description: 'Where the list comes from.', maxLength: 200, example: 'manual' }) source: string;
  @ApiProperty({
    description: 'Names of the columns that rows of the list have.',
    type: [String],
    maxItems: 10_000,
    example: ['email'],
  })
  columns: string[];
  @ApiProperty({
    description: 'Key of the list in the source system. Null if none was given.',
    type: String,
    nullable: true,
    maxLength: 200,
    example: 'webinar-2026-11',
  })
  external_id: string | null;
  @ApiProperty({ ...time, description: 'Time at which the list was created, ISO 8601.' }) created_at: string;
  @ApiProperty({ ...time, description: 'Time at which the list last changed, ISO 8601.' }) updated_at: string;
  @ApiProperty({ description: 'Number of leads in the list.', type: 'integer', minimum: 0, example: 120 })
  lead_count: number;
}

/** Response of GET /v2/lead-lists. */
export class LeadListPage {
  @ApiProperty({ description: 'Lead lists, newest first.', type: [LeadList], maxItems: 1_000 }) lead_lists: LeadList[];
  @ApiProperty({
    description: 'Maximum number of lists on a page.',
    type: 'integer',
    minimum: 1,
    maximum: 1_000,
    example: 100,
  })
  limit: number;
  @ApiProperty({ description: 'Whether another page exists.', example: false }) has_more: boolean;
  @ApiProperty({
    description: 'Cursor of the next page. Null on the last page.',
    type: String,
    nullable: true,
    maxLength: 500,
    example: null,
  })
  next_cursor: string | null;
}

/** Response of POST /v2/lead-lists. */
export class LeadListResult {
  @ApiProperty({ description: 'The list that was created.', type: LeadList }) lead_list: LeadList;
}

/** Response of DELETE /v2/lead-lists/:id. */
export class DeletedLeadList {
  @ApiProperty({ description: 'Always true: the list no longer exists.', example: true }) deleted: boolean;
  @ApiProperty({ ...uuid, description: 'Unique identifier of the deleted list.' }) id: string;
}
