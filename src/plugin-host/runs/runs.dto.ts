import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsString, IsUUID, MaxLength, Min } from 'class-validator';
import type { RunStatus } from '#sdk/runs.js';
import { OptionalField, ToInt } from '#kernel/http/validation.decorators.js';
import { RUN_STATUSES } from './run.js';

/** Maximum number of runs on a page. */
export const MAX_RUNS_PER_PAGE = 200;

const EXAMPLE_ID = '01a20ee7-d876-7000-b422-3f0efe2e0006';
const EXAMPLE_TIME = '2026-11-24T09:30:00.000000Z';

const time = (description: string, isNullable = false) =>
  ApiProperty({
    description,
    type: String,
    format: 'date-time',
    nullable: isNullable,
    example: EXAMPLE_TIME,
  });

/** How far a run is. */
export class RunProgressDto {
  @ApiProperty({
    description: 'What is done so far, in the unit of the run, such as rows.',
    type: 'integer',
    example: 1200,
  })
  done: number;

  @ApiProperty({
    description: 'What is to do in all; null if unknown.',
    type: 'integer',
    nullable: true,
    example: 50_000,
  })
  total: number | null;

  @ApiProperty({
    description: 'What the run is doing; null if it does not say.',
    type: String,
    nullable: true,
    example: 'Reading people',
  })
  message: string | null;
}

/** A run of a plugin. */
export class Run {
  @ApiProperty({ description: 'Unique identifier of the run.', format: 'uuid', example: EXAMPLE_ID })
  id: string;

  @ApiProperty({ description: 'ID of the plugin.', example: 'csv-import' })
  plugin: string;

  @ApiProperty({ description: 'Name of the run in the manifest of the plugin.', example: 'import' })
  name: string;

  @ApiProperty({
    description: 'What the run does. The name if the plugin is not installed any more.',
    example: 'Import people',
  })
  title: string;

  @ApiProperty({
    description:
      '`queued`: waits for its first step, or to continue. `running`. `paused`: until it is resumed. `finished`. ' +
      '`failed`: a step was given up, see `error`. `cancelled`.',
    enum: RUN_STATUSES,
    example: 'running',
  })
  status: RunStatus;

  @ApiProperty({ description: 'How far the run is.', type: RunProgressDto })
  progress: RunProgressDto;

  @ApiProperty({ description: 'Number of the step that is next or running, from 1.', type: 'integer', example: 4 })
  step: number;

  @ApiProperty({
    description: 'Number of rows that the run did not take; download them as the report.',
    type: 'integer',
    example: 3,
  })
  reported: number;

  @ApiProperty({
    description: 'What the run returned at its end, any JSON; null until then.',
    nullable: true,
    example: null,
  })
  result: unknown;

  @ApiProperty({ description: 'Why the run failed; null unless it did.', type: String, nullable: true, example: null })
  error: string | null;

  @ApiProperty({
    description: 'ID of the connection that the run is for; null for a plugin without connections.',
    type: String,
    format: 'uuid',
    nullable: true,
    example: null,
  })
  connection_id: string | null;

  @time('Time at which the run was created.')
  created_at: string;

  @time('Time at which its first step began; null until then.', true)
  started_at: string | null;

  @time('Time of the last change of status or progress.')
  updated_at: string;

  @time('Time at which the run ended; null until then. It is deleted 30 days later.', true)
  finished_at: string | null;
}

/** A page of runs. */
export class RunList {
  @ApiProperty({ description: 'Runs of the plugin, newest first.', type: [Run] })
  runs: readonly Run[];

  @ApiProperty({ description: 'Maximum number of runs on a page.', type: 'integer', example: 50 })
  limit: number;

  @ApiProperty({ description: 'Whether more runs follow.', example: false })
  has_more: boolean;

  @ApiProperty({
    description: 'Cursor of the next page; null on the last one.',
    type: String,
    nullable: true,
    example: null,
  })
  next_cursor: string | null;
}

/** Query of GET /v2/plugins/:plugin/runs. */
export class RunsQuery {
  @ApiPropertyOptional({ description: 'Status of the runs to list. Default: all.', enum: RUN_STATUSES })
  @OptionalField()
  @IsIn(RUN_STATUSES)
  status?: RunStatus;

  @ApiPropertyOptional({ description: 'Name of the runs to list, such as `import`. Default: all.', maxLength: 40 })
  @OptionalField()
  @IsString()
  @MaxLength(40)
  name?: string;

  @ApiPropertyOptional({
    description: `Maximum number of runs on a page. Values above ${MAX_RUNS_PER_PAGE} are treated as ${MAX_RUNS_PER_PAGE}.`,
    type: 'integer',
    minimum: 1,
    maximum: MAX_RUNS_PER_PAGE,
    default: 50,
  })
  @OptionalField()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;

  @ApiPropertyOptional({ description: '`next_cursor` of the previous page.', format: 'uuid' })
  @OptionalField()
  @IsUUID('all', { message: 'cursor must be the next_cursor of a page before.' })
  cursor?: string;
}
