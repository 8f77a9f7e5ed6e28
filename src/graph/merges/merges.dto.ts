import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { MAX_FOCUS_LENGTH } from '#domain/identity/web-address.js';
import type { AccountsMergeInput, EntityPairInput } from './merges.service.js';
import { EntityLinkDto, MergeProposalDto } from './entity-links.dto.js';
import { AmbiguousNameDto } from '../identity/focus.dto.js';

const ID = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

/** Body of POST /v2/entities/merge and /v2/entities/unmerge. */
export class EntityPairRequest {
  @ApiProperty({
    description: 'First entity: UUID, e-mail address, domain or LinkedIn URL. A bare name returns 400 `invalid_focus`.',
    maxLength: MAX_FOCUS_LENGTH,
    example: 'ada@acme.com',
  })
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_FOCUS_LENGTH)
  a: string;

  @ApiProperty({
    description: 'Second entity, in the same forms as `a`.',
    maxLength: MAX_FOCUS_LENGTH,
    example: 'https://www.linkedin.com/in/ada',
  })
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_FOCUS_LENGTH)
  b: string;

  @ApiPropertyOptional({
    description: 'Reason for the decision, kept with the link.',
    maxLength: 1000,
    example: 'Confirmed on a call',
  })
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  reason?: string;

  @ApiPropertyOptional({
    description: 'Set to true to return the effects without changing anything.',
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

/** Body of POST /v2/accounts/merge. Both are optional here because a missing one has an error code of its own. */
export class MergeAccountsRequest {
  @ApiPropertyOptional({
    description:
      'Entity to keep: UUID, e-mail address, domain, LinkedIn URL or name. An ambiguous name returns ' +
      'candidates. Required.',
    maxLength: MAX_FOCUS_LENGTH,
    example: 'acme.com',
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_FOCUS_LENGTH)
  keep?: string;

  @ApiPropertyOptional({
    description: 'Entity to merge into the other, in the same forms as `keep`. Required.',
    maxLength: MAX_FOCUS_LENGTH,
    example: 'acme.io',
  })
  @IsOptional()
  @IsString()
  @MaxLength(MAX_FOCUS_LENGTH)
  drop?: string;

  @ApiPropertyOptional({
    description: 'Set to true to return the effects without changing anything.',
    default: false,
    example: false,
  })
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
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Number of identifiers that now also resolve to the merged entity.',
    example: 1,
  })
  identifiers_moved: number;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Number of observations that now also count for the merged entity.',
    example: 4,
  })
  observations_moved: number;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Number of properties that only the other entity had.',
    example: 2,
  })
  claims_moved: number;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Number of properties whose values differed between the two.',
    example: 1,
  })
  claims_conflicted: number;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'Number of people who belonged to the other company.',
    example: 0,
  })
  relationships_repointed: number;
  @ApiProperty({ description: 'Whether this was a dry run, which changes nothing.', example: false })
  dry_run: boolean;
}

/** Response of POST /v2/entities/merge. */
export class MergeResult extends MergeEffectsDto {
  @ApiProperty({
    description: '`merged`, or `already_merged` if the two were one entity before the call.',
    enum: ['merged', 'already_merged'],
  })
  status: string;
  @ApiProperty({
    format: 'uuid',
    description: 'Canonical ID of the merged entity: the oldest of its IDs. Claims are stored under it.',
    example: ID,
  })
  entity_id: string;
  @ApiProperty({ type: [String], description: 'Other IDs that now resolve to the entity.', maxItems: 10_000 })
  merged_ids: string[];
  @ApiProperty({
    description: 'ID that now resolves to `entity_id`. Null if nothing changed.',
    type: String,
    format: 'uuid',
    nullable: true,
    example: ID,
  })
  dropped_id: string | null;
  @ApiProperty({
    description: 'ID of the link that records the merge. Null in a dry run or if nothing changed.',
    type: String,
    format: 'uuid',
    nullable: true,
    example: ID,
  })
  link_id: string | null;
}

/** One of those that an unmerge has parted. */
class UnmergedEntity {
  @ApiProperty({ description: 'Canonical ID of the entity after the unmerge.', format: 'uuid', example: ID })
  entity_id: string;
  @ApiProperty({ description: 'Other IDs that still resolve to this entity.', type: [String], maxItems: 10_000 })
  merged_ids: string[];
}

/** Response of POST /v2/entities/unmerge. */
export class UnmergeResult {
  @ApiProperty({
    description: '`unmerged`, or `not_merged` if the two were separate before the call.',
    enum: ['unmerged', 'not_merged'],
  })
  status: string;
  @ApiProperty({ type: [UnmergedEntity], description: 'The separate entities after the call.', maxItems: 10_000 })
  entities: UnmergedEntity[];
  @ApiProperty({ type: [String], description: 'IDs of the merge links that were retracted.', maxItems: 10_000 })
  links_retracted: string[];
  @ApiProperty({ description: 'Whether this was a dry run, which changes nothing.', example: false })
  dry_run: boolean;
}

/** Response of GET /v2/entities/:id/links. */
export class EntityLinks {
  @ApiProperty({ description: 'Canonical ID of the entity.', format: 'uuid', example: ID })
  entity_id: string;
  @ApiProperty({ description: 'Other IDs that resolve to the entity.', type: [String], maxItems: 10_000 })
  merged_ids: string[];
  @ApiProperty({
    type: [EntityLinkDto],
    maxItems: 1000,
    description: 'Decisions that the entity is, or is not, the same as another, newest first. Includes retracted ones.',
  })
  links: EntityLinkDto[];
  @ApiProperty({ type: [MergeProposalDto], maxItems: 1000, description: 'Open merge proposals that await a decision.' })
  proposals: MergeProposalDto[];
}

/** Response of POST /v2/accounts/merge to a name that matches several entities. */
export class AmbiguousSideDto extends AmbiguousNameDto {
  @ApiProperty({ description: 'Field of the request that has the ambiguous name.', enum: ['keep', 'drop'] })
  which: string;
}

/** Response of POST /v2/accounts/merge. */
export class AccountsMergeResult extends MergeEffectsDto {
  @ApiProperty({ description: 'Always `merged`: the two are one entity now.', enum: ['merged', 'ambiguous'] })
  status: string;
  @ApiProperty({
    format: 'uuid',
    description: 'ID that remains in use: the older of the two, whichever was sent as `keep`.',
    example: ID,
  })
  keep_id: string;
  @ApiProperty({ format: 'uuid', description: 'ID that now resolves to `keep_id`.', example: ID })
  drop_id: string;
  @ApiProperty({
    description: 'Always 0: a merge never removes relationships.',
    type: 'integer',
    minimum: 0,
    example: 0,
  })
  relationships_removed: number;
  @ApiProperty({
    description: 'Always empty: rows are resolved when they are read, so none has to be changed.',
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: {},
  })
  rows_repointed: object;
}
