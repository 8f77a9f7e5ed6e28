import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsObject, IsString, Matches, MaxLength } from 'class-validator';
import { OptionalField } from '#kernel/http/validation.decorators.js';

/** Maximum number of properties that one request counts. */
export const MAX_FACETS = 50;

/** Maximum number of sources that a facet lists. */
export const MAX_FACET_SOURCES = 100;

const COUNT = { type: 'integer', minimum: 0 } as const;

/** Body of a request for facets. */
export class FacetsRequestBody {
  @ApiPropertyOptional({
    description:
      'Filter of the list, with the same grammar as its parameter `filter`, as an object. Default: all rows.',
    type: Object,
    additionalProperties: true,
    example: { title: { freshness: 'fresh' } },
  })
  @OptionalField()
  @IsObject()
  filter?: Record<string, unknown>;

  @ApiPropertyOptional({
    description: `Properties to count. Default: the ${MAX_FACETS} with the most claims.`,
    type: 'array',
    items: { type: 'string', maxLength: 80 },
    minItems: 1,
    maxItems: MAX_FACETS,
    example: ['title', 'city'],
  })
  @OptionalField()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_FACETS)
  @IsString({ each: true })
  @Matches(/^[a-z][a-z0-9_.-]{0,79}$/, { each: true })
  properties?: string[];

  @ApiPropertyOptional({
    description: 'Facts that stop being fresh within this time count as due. Default: `7d`.',
    maxLength: 20,
    example: '7d',
  })
  @OptionalField()
  @IsString()
  @MaxLength(20)
  refresh_within?: string;
}

/** How many claims a source supports. */
export class FacetSource {
  @ApiProperty({ description: 'Name of the source.', example: 'crm:hubspot' })
  source!: string;

  @ApiProperty({ ...COUNT, description: 'Claims that the source supports.', example: 120 })
  claims!: number;

  @ApiProperty({ ...COUNT, description: 'Claims that no other source supports.', example: 80 })
  only_source!: number;

  @ApiProperty({ ...COUNT, description: 'Claims of the source that stop being fresh soon.', example: 12 })
  refresh_due!: number;

  @ApiProperty({ ...COUNT, description: 'Claims of the source that are no longer fresh.', example: 9 })
  not_fresh!: number;
}

/** Counts of the current claims about one property. */
export class Facet {
  @ApiProperty({ description: 'Canonical name of the property.', example: 'title' })
  property!: string;

  @ApiProperty({ ...COUNT, description: 'Current claims about the property; ended ones do not count.', example: 200 })
  claims!: number;

  @ApiProperty({
    description: 'Claims by freshness. A grade without claims is missing.',
    type: Object,
    additionalProperties: { type: 'integer' },
    example: { fresh: 150, aging: 30, suspect: 20 },
  })
  freshness!: Record<string, number>;

  @ApiProperty({
    description: 'Claims by epistemic class. A class without claims is missing.',
    type: Object,
    additionalProperties: { type: 'integer' },
    example: { asserted: 120, reported: 70, contested: 10 },
  })
  epistemic_class!: Record<string, number>;

  @ApiProperty({ ...COUNT, description: 'Fresh claims that stop being fresh within `refresh_within`.', example: 14 })
  refresh_due!: number;

  @ApiProperty({
    description: `Sources of the claims, the most frequent first; at most ${MAX_FACET_SOURCES}.`,
    type: () => [FacetSource],
  })
  sources!: FacetSource[];
}

/** Counts of the claims of a list. */
export class FacetCounts {
  @ApiProperty({ ...COUNT, description: 'Rows of the list that match the filter.', example: 240 })
  total!: number;

  @ApiProperty({
    description: 'One item per property, the most frequent first. Requested properties without claims are missing.',
    type: () => [Facet],
  })
  facets!: Facet[];

  @ApiProperty({
    description: 'Whether there are more properties than one response counts. False if properties were chosen.',
    example: false,
  })
  has_more_properties!: boolean;
}
