import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsString, MaxLength, Min } from 'class-validator';
import type { EntityType } from '#domain/identity/focus.js';
import { OptionalField, ToInt } from '#kernel/http/validation.decorators.js';
import {
  DEFAULT_PROPERTIES,
  MAX_PROPERTY_EXAMPLES,
  MAX_PROPERTIES,
  type PropertyValueType,
} from './properties.service.js';

const ENTITY_TYPES = ['person', 'company'] as const;
const VALUE_TYPES = ['boolean', 'list', 'number', 'object', 'text'] as const;
const NAME = { maxLength: 80, example: 'title' } as const;

/** Query of GET /v2/properties. */
export class PropertiesQuery {
  @ApiPropertyOptional({
    description: 'Entities whose properties are listed.',
    enum: ENTITY_TYPES,
    default: 'person',
  })
  @OptionalField()
  @IsIn(ENTITY_TYPES)
  type?: EntityType;

  @ApiPropertyOptional({ description: 'Only properties whose name contains this text.', maxLength: 80 })
  @OptionalField()
  @IsString()
  @MaxLength(80)
  search?: string;

  @ApiPropertyOptional({
    type: 'integer',
    default: DEFAULT_PROPERTIES,
    minimum: 1,
    maximum: MAX_PROPERTIES,
    description: `Maximum number of properties on a page. Values above ${MAX_PROPERTIES} are treated as ${MAX_PROPERTIES}.`,
  })
  @OptionalField()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;

  @ApiPropertyOptional({
    description: '`next_cursor` of the previous page, with otherwise unchanged parameters.',
    maxLength: 200,
  })
  @OptionalField()
  @IsString()
  @MaxLength(200)
  cursor?: string;
}

/** A property of people or companies. */
export class Property {
  @ApiProperty({ description: 'Name to record, filter, sort and show it by.', ...NAME })
  name: string;

  @ApiProperty({ description: 'The name as people write it.', maxLength: 100, example: 'Title' })
  label: string;

  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: 200,
    description: 'Meaning of the property to the service; null for properties that only the workspace knows.',
    example: 'Job title.',
  })
  description: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: 100,
    description: 'Value that the service expects, in words; null for properties that only the workspace knows.',
    example: 'text',
  })
  format: string | null;

  @ApiProperty({
    type: [String],
    description: 'Other names that are accepted for it.',
    items: { type: 'string', ...NAME, example: 'job_title' },
  })
  aliases: string[];

  @ApiProperty({
    enum: ENTITY_TYPES,
    isArray: true,
    description:
      'Types of entities that have it: those that it is meant for, and those that its latest 100 observations are about.',
    example: ['person'],
  })
  entities: EntityType[];

  @ApiProperty({ description: 'Whether one of its latest 100 observations is about this type.', example: true })
  is_stated: boolean;

  @ApiProperty({
    enum: VALUE_TYPES,
    isArray: true,
    description: 'Types of the values in those observations; empty if there is none.',
    example: ['text'],
  })
  value_types: PropertyValueType[];

  @ApiProperty({ description: 'Whether a fact holds several values at once.', example: false })
  many: boolean;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'Days after which half of such facts have changed; null for facts that do not age.',
    example: 720,
  })
  half_life_days: number | null;

  @ApiProperty({
    type: [String],
    description: 'Conditions that a filter can set on it.',
    items: { type: 'string', maxLength: 40 },
    example: ['$eq', '$contains', 'freshness', 'confidence'],
  })
  conditions: string[];

  @ApiProperty({
    description: 'Whether lists sort by its value. By confidence and freshness they sort by every property.',
    example: true,
  })
  sortable: boolean;

  @ApiProperty({
    type: 'array',
    items: {
      oneOf: [
        { type: 'string', maxLength: 200 },
        { type: 'number' },
        { type: 'boolean' },
        { type: 'array', items: { type: 'string', maxLength: 200 } },
      ],
    },
    maxItems: MAX_PROPERTY_EXAMPLES,
    description: 'Different short values of late, the newest first; none of objects.',
    example: ['VP Sales', 'Head of Sales'],
  })
  examples: unknown[];
}

/** Response of GET /v2/properties. */
export class PropertyPage {
  @ApiProperty({ type: [Property], description: 'Properties on this page, by name.', maxItems: MAX_PROPERTIES })
  properties: Property[];

  @ApiProperty({ type: 'integer', description: 'Maximum number of properties on a page.', example: 100 })
  limit: number;

  @ApiProperty({ description: 'Whether more properties follow.', example: false })
  has_more: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    maxLength: 200,
    description: 'Cursor of the next page; null on the last page.',
    example: null,
  })
  next_cursor: string | null;
}
