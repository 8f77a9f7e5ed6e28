import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { RETENTION_BOUNDS } from '#domain/retention/retention.js';

const FACT_BOUNDS = {
  type: 'integer',
  minimum: RETENTION_BOUNDS.notes.min,
  maximum: RETENTION_BOUNDS.notes.max,
  nullable: true,
} as const;
const DELIVERY_BOUNDS = {
  type: 'integer',
  minimum: RETENTION_BOUNDS.deliveries.min,
  maximum: RETENTION_BOUNDS.deliveries.max,
} as const;
const INBOUND_BOUNDS = {
  type: 'integer',
  minimum: RETENTION_BOUNDS.inbound_events.min,
  maximum: RETENTION_BOUNDS.inbound_events.max,
} as const;

const RAW = 'Days to keep the `raw` payloads of observations; null keeps them. The facts themselves stay.';
const NOTES = 'Days to keep notes from the time they are saved; null keeps them. What was recorded from them stays.';
const VISITS = 'Days to keep visits of pages; null keeps them. No claim depends on them.';
const DELIVERIES = 'Days to keep the log of trigger deliveries.';
const INBOUND = 'Days to keep received webhooks.';

/** The body of PATCH /v2/workspace/retention. The service validates it. */
export class ChangeRetention {
  @ApiPropertyOptional({ ...FACT_BOUNDS, description: RAW, example: 365 })
  @Allow()
  raw_payloads?: number | null;

  @ApiPropertyOptional({ ...FACT_BOUNDS, description: NOTES, example: null })
  @Allow()
  notes?: number | null;

  @ApiPropertyOptional({ ...FACT_BOUNDS, description: VISITS, example: 395 })
  @Allow()
  page_visits?: number | null;

  @ApiPropertyOptional({ ...DELIVERY_BOUNDS, description: DELIVERIES, example: 30 })
  @Allow()
  deliveries?: number;

  @ApiPropertyOptional({ ...INBOUND_BOUNDS, description: INBOUND, example: 30 })
  @Allow()
  inbound_events?: number;
}

/** Days to keep each kind of data. */
export class RetentionDaysDto {
  @ApiProperty({ ...FACT_BOUNDS, description: RAW, example: 365 })
  raw_payloads: number | null;

  @ApiProperty({ ...FACT_BOUNDS, description: NOTES, example: null })
  notes: number | null;

  @ApiProperty({ ...FACT_BOUNDS, description: VISITS, example: 395 })
  page_visits: number | null;

  @ApiProperty({ ...DELIVERY_BOUNDS, description: DELIVERIES, example: 30 })
  deliveries: number;

  @ApiProperty({ ...INBOUND_BOUNDS, description: INBOUND, example: 30 })
  inbound_events: number;
}

/** The last run of the nightly job. */
export class RetentionRunDto {
  @ApiProperty({ description: 'Day of the run (UTC).', format: 'date', example: '2026-11-24' })
  day: string;

  @ApiProperty({
    description: 'Time at which it started.',
    format: 'date-time',
    example: '2026-11-24T02:00:00.000000Z',
  })
  started_at: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Time at which it finished; null while it runs.',
    format: 'date-time',
    example: '2026-11-24T02:00:12.000000Z',
  })
  finished_at: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Number of removed rows by kind; kinds of which nothing was removed are missing.',
    example: { page_visits: 1204 },
  })
  removed: Record<string, number>;
}

/** Response of the endpoints of retention. */
export class RetentionSettingsDto {
  @ApiProperty({ type: RetentionDaysDto, description: 'Days to keep each kind of data.' })
  days: RetentionDaysDto;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Time of the last change; null if the defaults apply.',
    format: 'date-time',
    example: '2026-11-24T09:30:00.000000Z',
  })
  updated_at: string | null;

  @ApiProperty({
    type: RetentionRunDto,
    nullable: true,
    description: 'The last nightly run; null before the first one.',
  })
  last_run: RetentionRunDto | null;
}
