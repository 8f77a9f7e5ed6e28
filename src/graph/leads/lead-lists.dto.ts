import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, MaxLength, Min } from 'class-validator';
import { ToInt } from '#kernel/http/to-int.decorator.js';

const uuid = { format: 'uuid', example: '0199f3a0-5b1c-7d34-9a1e-2f6b8c0d4e11' } as const;
const time = { format: 'date-time', example: '2026-11-20T09:30:00.000000Z' } as const;

/** The query of GET /v2/lead-lists. */
export class LeadListsQuery {
  @ApiPropertyOptional({ type: 'integer', default: 100, minimum: 1, maximum: 1_000 })
  @IsOptional()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;

  @ApiPropertyOptional({ description: '`next_cursor` of the page before.', maxLength: 500 })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  cursor?: string;
}

/** The body of POST /v2/lead-lists. */
export class CreateLeadListRequest {
  @ApiProperty({ type: String, maxLength: 200, example: 'Webinar November' }) name: string;
  @ApiPropertyOptional({ type: String, maxLength: 200, default: 'manual', example: 'manual' }) source?: string;
}

/** A lead list. */
export class LeadList {
  @ApiProperty(uuid) id: string;
  @ApiProperty(uuid) workspace_id: string;
  @ApiProperty({ maxLength: 200, example: 'Webinar November' }) name: string;
  @ApiProperty({ maxLength: 200, example: 'manual' }) source: string;
  @ApiProperty({ type: [String], maxItems: 10_000, example: ['email'] }) columns: string[];
  @ApiProperty({ type: String, nullable: true, maxLength: 200, example: 'webinar-2026-11' }) external_id: string | null;
  @ApiProperty(time) created_at: string;
  @ApiProperty(time) updated_at: string;
  @ApiProperty({ type: 'integer', minimum: 0, example: 120 }) lead_count: number;
}

/** The answer of GET /v2/lead-lists. */
export class LeadListPage {
  @ApiProperty({ type: [LeadList], maxItems: 1_000 }) lead_lists: LeadList[];
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 1_000, example: 100 }) limit: number;
  @ApiProperty({ example: false }) has_more: boolean;
  @ApiProperty({ type: String, nullable: true, maxLength: 500, example: null }) next_cursor: string | null;
}

/** The answer of POST /v2/lead-lists. */
export class LeadListResult {
  @ApiProperty({ type: LeadList }) lead_list: LeadList;
}

/** The answer of DELETE /v2/lead-lists/:id. */
export class DeletedLeadList {
  @ApiProperty({ example: true }) deleted: boolean;
  @ApiProperty(uuid) id: string;
}
