import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsString, MaxLength, Min } from 'class-validator';
import { ACTOR_KINDS, type ActorKind } from '#domain/actor/actor.js';
import { OptionalField, ToInt } from '#kernel/http/validation.decorators.js';

const ENTITY = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const ERASURE = '01a20ee7-d876-7000-b422-3f0efe2e0006';
const KEY = '01a20ee7-1b2c-7000-8d11-5b0c2f7e9a31';

/** Maximum number of erasures on a page. */
export const MAX_ERASURES_LIMIT = 1_000;

/** Body of POST /v2/people/:id/erase. */
export class EraseRequest {
  @ApiPropertyOptional({
    description:
      'Set to true to return what would be removed, without removing it. Mentions in records about others are ' +
      'counted in the newest 100,000 rows of each table.',
    default: false,
    example: true,
  })
  @OptionalField()
  @IsBoolean()
  dry_run?: boolean;

  @ApiPropertyOptional({
    description:
      'Set to true to accept the identifiers of the person again. By default later writes with them are refused.',
    default: false,
    example: false,
  })
  @OptionalField()
  @IsBoolean()
  allow_reimport?: boolean;
}

/** Who requested an erasure. */
export class ErasureActor {
  @ApiProperty({ description: 'Kind of the actor.', enum: ACTOR_KINDS, example: 'key' })
  kind: ActorKind;

  @ApiProperty({ description: 'ID of the API key or person.', example: KEY })
  id: string;
}

const count = (description: string, example = 0) => ApiProperty({ type: 'integer', minimum: 0, description, example });

/** What an erasure has removed so far; in a dry run, what it would remove. */
export class ErasureCountsDto {
  @count('Identifiers that were deleted.', 2)
  identifiers: number;

  @count('Claims that were deleted.', 7)
  claims: number;

  @count('Observations about the person that were deleted: all facts.', 9)
  observations_deleted: number;

  @count('Events of the person of which only type, source and times remain.', 14)
  events_anonymized: number;

  @count('Notes on the person that were deleted.', 3)
  notes_deleted: number;

  @count('Leads of the person whose imported row, fields and scores were removed.', 1)
  leads_cleared: number;

  @count('Merge decisions and merge proposals of the person that were deleted.')
  links_deleted: number;

  @count('Observations about others from which mentions were removed.', 1)
  observations_redacted: number;

  @count('Notes on others from which mentions were removed.', 1)
  notes_redacted: number;

  @count('Leads of others from which mentions were removed.')
  leads_redacted: number;

  @count('Versions of workspace facts from which mentions were removed.')
  facts_redacted: number;

  @count('Stored responses for an `Idempotency-Key` that were erased.', 4)
  stored_responses: number;

  @count('Events that were removed before their delivery.')
  outgoing_events: number;

  @count('Plugin jobs that were deleted or changed.')
  plugin_jobs: number;

  @count('Runs of plugins from which mentions were removed.')
  runs_redacted: number;

  @count('Rows that runs of plugins did not take, from which mentions were removed.')
  reported_rows_redacted: number;

  @count('Received webhooks that were erased.', 2)
  webhooks: number;

  @count('Values of plugin storage, such as deliveries of triggers, that were erased.', 2)
  plugin_values: number;

  @count('Values of plugin storage that no key of `SECRET_KEYS` opens, so that they were left as they are.')
  unreadable_values: number;

  @count('Stored files, such as uploads, that mentioned the person or could not be searched, and were deleted.')
  files_deleted: number;
}

/** An erasure. */
export class Erasure {
  @ApiProperty({ description: 'ID of the erasure; null in a dry run.', type: String, nullable: true, example: ERASURE })
  id: string | null;

  @ApiProperty({ description: 'ID of the person. It stays valid.', example: ENTITY })
  entity_id: string;

  @ApiProperty({ description: 'Other IDs that the person had after merges.', type: [String], example: [] })
  merged_ids: readonly string[];

  @ApiProperty({
    description:
      '`pending` and `running`: the person is gone from every read, and the job removes the rest. `done`: nothing is ' +
      'left. `planned`: a dry run.',
    enum: ['planned', 'pending', 'running', 'done'],
    example: 'running',
  })
  state: string;

  @ApiProperty({ description: 'Whether later writes with identifiers of the person are refused.', example: true })
  suppressed: boolean;

  @ApiProperty({ description: 'Who requested the erasure; null in a dry run.', type: ErasureActor, nullable: true })
  actor: ErasureActor | null;

  @ApiProperty({ description: 'What was removed so far.', type: ErasureCountsDto })
  counts: ErasureCountsDto;

  @ApiProperty({
    description: 'Time of the request; null in a dry run.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: '2026-11-20T09:00:00.000000Z',
  })
  requested_at: string | null;

  @ApiProperty({
    description: 'Time at which the erasure was done; null until then.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
  })
  finished_at: string | null;

  @ApiPropertyOptional({ description: 'True in a dry run.', example: true })
  dry_run?: true;
}

/** A page of erasures. */
export class ErasureList {
  @ApiProperty({ description: 'Erasures of the workspace, newest first.', type: [Erasure] })
  erasures: readonly Erasure[];

  @ApiProperty({ description: 'Maximum number of erasures on a page.', type: 'integer', example: 100 })
  limit: number;

  @ApiProperty({ description: 'Whether more erasures follow.', example: false })
  has_more: boolean;

  @ApiProperty({
    description: 'Cursor of the next page; null on the last one.',
    type: String,
    nullable: true,
    example: null,
  })
  next_cursor: string | null;
}

/** Query of GET /v2/erasures. */
export class ErasuresQuery {
  @ApiPropertyOptional({
    description: 'Maximum number of erasures on a page. Values above 1000 are treated as 1000.',
    type: 'integer',
    minimum: 1,
    maximum: MAX_ERASURES_LIMIT,
    default: 100,
  })
  @OptionalField()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;

  @ApiPropertyOptional({ description: '`next_cursor` of the previous page.', maxLength: 100 })
  @OptionalField()
  @IsString()
  @MaxLength(100)
  cursor?: string;
}
