import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import type { AccountsMergeInput } from './accounts-merge.service.js';
import type { EntityPairInput } from './merges.service.js';

const MAX_FOCUS_LENGTH = 320;
const ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

/** Body of POST /v2/entities/merge and /v2/entities/unmerge. */
export class EntityPairRequest {
  @ApiProperty({
    description: 'Entity UUID, e-mail address, domain or LinkedIn URL of the one. A bare name is refused.',
    maxLength: MAX_FOCUS_LENGTH,
    example: 'ada@acme.com',
  })
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_FOCUS_LENGTH)
  a: string;

  @ApiProperty({
    description: 'The same of the other.',
    maxLength: MAX_FOCUS_LENGTH,
    example: 'https://www.linkedin.com/in/ada',
  })
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_FOCUS_LENGTH)
  b: string;

  @ApiPropertyOptional({ description: 'Why, for people.', maxLength: 1000, example: 'Confirmed on a call' })
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  reason?: string;

  @ApiPropertyOptional({
    description: 'Answer what would happen and change nothing.',
    default: false,
    example: false,
  })
  @IsOptional()
  @IsBoolean()
  dry_run?: boolean;
}

/** The request that a body stands for. */
export function toEntityPairInput({ a, b, reason, dry_run }: EntityPairRequest): EntityPairInput {
  return { a, b, reason, dryRun: dry_run ?? false };
}

/** Body of POST /v2/accounts/merge. Which of the two is missing is told by an error of its own, so both are optional. */
export class MergeAccountsRequest {
  @ApiPropertyOptional({
    description: 'Entity UUID, e-mail address, domain or LinkedIn URL. A name is answered with candidates.',
    maxLength: MAX_FOCUS_LENGTH,
    example: 'acme.com',
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_FOCUS_LENGTH)
  keep?: string;

  @ApiPropertyOptional({ description: 'The same of the other.', maxLength: MAX_FOCUS_LENGTH, example: 'acme.io' })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_FOCUS_LENGTH)
  drop?: string;

  @ApiPropertyOptional({ description: 'Answer what would happen and change nothing.', default: false, example: false })
  @IsOptional()
  @IsBoolean()
  dry_run?: boolean;
}

/** The request that a body stands for. */
export function toAccountsMergeInput({ keep, drop, dry_run }: MergeAccountsRequest): AccountsMergeInput {
  return { keep: keep ?? '', drop: drop ?? '', dryRun: dry_run ?? false };
}

/** What a merge brings together. */
class MergeEffectsDto {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Identifiers that name it as well now.', example: 1 })
  identifiers_moved: number;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Observations that count for it as well now.', example: 4 })
  observations_moved: number;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Properties that only the other had.', example: 2 })
  claims_moved: number;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Properties on which the two differed.', example: 1 })
  claims_conflicted: number;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'People whose company was the other.', example: 0 })
  relationships_repointed: number;
  @ApiProperty({ description: 'Whether this was only tried.', example: false })
  dry_run: boolean;
}

/** The answer of POST /v2/entities/merge. */
export class MergeResult extends MergeEffectsDto {
  @ApiProperty({ enum: ['merged', 'already_merged'] })
  status: string;
  @ApiProperty({
    format: 'uuid',
    description: 'Of all that are one the oldest; claims are kept under it.',
    example: ID,
  })
  entity_id: string;
  @ApiProperty({ type: [String], description: 'Ids that resolve to it as well, for good.', maxItems: 10_000 })
  merged_ids: string[];
  @ApiProperty({ type: String, format: 'uuid', nullable: true, example: ID })
  dropped_id: string | null;
  @ApiProperty({ type: String, format: 'uuid', nullable: true, example: ID })
  link_id: string | null;
}

/** One of those that an unmerge has parted. */
class UnmergedEntity {
  @ApiProperty({ format: 'uuid', example: ID }) entity_id: string;
  @ApiProperty({ type: [String], maxItems: 10_000 }) merged_ids: string[];
}

/** The answer of POST /v2/entities/unmerge. */
export class UnmergeResult {
  @ApiProperty({ enum: ['unmerged', 'not_merged'] })
  status: string;
  @ApiProperty({ type: [UnmergedEntity], description: 'Who there is now.', maxItems: 10_000 })
  entities: UnmergedEntity[];
  @ApiProperty({ type: [String], description: 'The merges that were undone.', maxItems: 10_000 })
  links_retracted: string[];
  @ApiProperty({ description: 'Whether this was only tried.', example: false })
  dry_run: boolean;
}

/** The answer of GET /v2/entities/:id/links. */
export class EntityLinks {
  @ApiProperty({ format: 'uuid', example: ID })
  entity_id: string;
  @ApiProperty({ type: [String], maxItems: 10_000 })
  merged_ids: string[];
  @ApiProperty({
    type: 'array',
    items: { type: 'object' },
    maxItems: 1000,
    description: 'Newest first: `{id, a, b, kind, source, reason, created_at, retracted_at}`.',
  })
  links: object[];
  @ApiProperty({
    type: 'array',
    items: { type: 'object' },
    maxItems: 1000,
    description: 'Open: `{entity_id, other_entity_id, kind, key, value, guards, created_at}`.',
  })
  proposals: object[];
}

/** The answer of POST /v2/accounts/merge. For a name: `status: "ambiguous"`, `which` and `candidates`. */
export class AccountsMergeResult extends MergeEffectsDto {
  @ApiProperty({ enum: ['merged', 'ambiguous'] })
  status: string;
  @ApiProperty({ format: 'uuid', description: 'The one that goes on: the older of the two.', example: ID })
  keep_id: string;
  @ApiProperty({ format: 'uuid', description: 'Resolves to the other for good.', example: ID })
  drop_id: string;
  @ApiProperty({ type: 'integer', minimum: 0, example: 0 })
  relationships_removed: number;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' }, example: {} })
  rows_repointed: object;
}
