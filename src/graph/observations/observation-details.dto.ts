import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { OptionalField } from '#kernel/http/validation.decorators.js';

const BOOLEAN_TEXTS = ['true', 'false'] as const;
const EXAMPLE_ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const time = { format: 'date-time', example: '2026-11-20T09:30:00.000000Z' } as const;

/** Query of GET /v2/observations/:id. */
export class ObservationQuery {
  @ApiPropertyOptional({
    enum: BOOLEAN_TEXTS,
    default: 'false',
    description: 'Whether to add the payload as its source sent it.',
  })
  @OptionalField()
  @IsIn(BOOLEAN_TEXTS)
  raw?: (typeof BOOLEAN_TEXTS)[number];
}

/** An observation as it stands in the log. */
export class ObservationDetails {
  @ApiProperty({ format: 'uuid', example: EXAMPLE_ID, description: 'Unique identifier of the observation.' })
  id: string;
  @ApiProperty({
    format: 'uuid',
    example: EXAMPLE_ID,
    description: 'Person or company that the observation was recorded for.',
  })
  entity_id: string;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    example: null,
    description: 'Person or company that this one was merged into since. Null if it was not merged.',
  })
  merged_into: string | null;
  @ApiProperty({
    enum: ['event', 'state'],
    example: 'state',
    description: '`event` for something that happened, `state` for a fact.',
  })
  kind: string;
  @ApiProperty({ example: 'title', description: 'Property of the observation.' }) property: string;
  @ApiProperty({
    example: 'VP Sales',
    nullable: true,
    description: 'Value of the observation, any JSON. Null if a fact ended.',
  })
  value: unknown;
  @ApiProperty({ example: 'crm:hubspot', description: 'System or person that provided the observation.' })
  source: string;
  @ApiProperty({ example: 'sync', description: 'How the observation was captured.' }) method: string;
  @ApiProperty({ ...time, description: 'Time at which it happened or was observed, ISO 8601.' }) observed_at: string;
  @ApiProperty({ ...time, description: 'Time at which it was recorded, ISO 8601.' }) recorded_at: string;
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'msg-8842',
    description: 'Deduplication key from the source system. Null if none was sent.',
  })
  external_id: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
    description: 'Time at which the observation was retracted, ISO 8601. Null if it counts.',
  })
  retracted_at: string | null;
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: { properties: { jobtitle: 'VP Sales' } },
    description: 'Payload as the source sent it, any JSON object. Only with `raw=true`; null if none was sent.',
  })
  raw?: Record<string, unknown> | null;
}
