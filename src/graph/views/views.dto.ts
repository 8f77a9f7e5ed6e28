import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsObject, IsOptional, IsString, IsUUID, MaxLength, ValidateNested } from 'class-validator';
import { ActorDto } from '#kernel/auth/actor.dto.js';
import { IsName, NotBlank, OptionalField } from '#kernel/http/validation.decorators.js';
import { VIEW_RESOURCES, type ViewResource } from './saved-view.entity.js';

const uuid = { format: 'uuid', example: '0199f3a0-5b1c-7d34-9a1e-2f6b8c0d4e11' } as const;
const time = { format: 'date-time', example: '2026-11-20T09:30:00.000000Z' } as const;
const NAME = { description: 'Name of the view.', maxLength: 200, example: 'VPs we may write to' } as const;
const RESOURCE = { description: 'List that the view is for.', enum: VIEW_RESOURCES, example: 'people' } as const;
const SHARED = { description: 'Whether everybody in the workspace sees the view.', example: true } as const;

/** Parameters that a view sets when its list is read. */
export class SavedViewQuery {
  @ApiPropertyOptional({ description: 'Text to search for.', maxLength: 200, example: 'acme' })
  @OptionalField()
  @IsString()
  @NotBlank()
  @MaxLength(200)
  search?: string;

  @ApiPropertyOptional({
    description: 'Filter as JSON, as the list takes it.',
    maxLength: 16_384,
    example: '{"title":{"$contains":"vp","freshness":"fresh"}}',
  })
  @OptionalField()
  @IsString()
  @NotBlank()
  @MaxLength(16_384)
  filter?: string;

  @ApiPropertyOptional({ description: 'Order of the rows, as the list takes it.', maxLength: 300, example: '-name' })
  @OptionalField()
  @IsString()
  @NotBlank()
  @MaxLength(300)
  sort?: string;

  @ApiPropertyOptional({
    description: 'Columns of the view: names of fields and properties, separated by commas.',
    maxLength: 4_000,
    example: 'name,title,company',
  })
  @OptionalField()
  @IsString()
  @NotBlank()
  @MaxLength(4_000)
  fields?: string;

  @ApiPropertyOptional({ ...uuid, description: 'Lead list that a view of leads is limited to.' })
  @OptionalField()
  @IsUUID()
  list_id?: string;
}

/** Query of GET /v2/workspace/views. */
export class SavedViewsQuery {
  @ApiPropertyOptional({ description: 'Return only the views of this list.', enum: VIEW_RESOURCES })
  @IsOptional()
  @IsIn(VIEW_RESOURCES)
  resource?: ViewResource;
}

/** Body of POST /v2/workspace/views. */
export class CreateSavedView {
  @ApiProperty(RESOURCE)
  @IsIn(VIEW_RESOURCES)
  resource: ViewResource;

  @ApiProperty(NAME)
  @IsName()
  name: string;

  @ApiProperty({ type: SavedViewQuery, description: 'What the view sets. Other parameters of the list stay free.' })
  @IsObject()
  @ValidateNested()
  @Type(() => SavedViewQuery)
  query: SavedViewQuery;

  @ApiPropertyOptional({ ...SHARED, default: false })
  @OptionalField()
  @IsBoolean()
  shared?: boolean;
}

/** Body of PATCH /v2/workspace/views/:id. */
export class UpdateSavedView {
  @ApiPropertyOptional(NAME)
  @OptionalField()
  @IsName()
  name?: string;

  @ApiPropertyOptional({ type: SavedViewQuery, description: 'What the view sets, in place of all that it set before.' })
  @OptionalField()
  @IsObject()
  @ValidateNested()
  @Type(() => SavedViewQuery)
  query?: SavedViewQuery;

  @ApiPropertyOptional(SHARED)
  @OptionalField()
  @IsBoolean()
  shared?: boolean;
}

/** A saved view. */
export class SavedView {
  @ApiProperty({ ...uuid, description: 'Unique identifier of the view.' }) id: string;
  @ApiProperty(RESOURCE) resource: string;
  @ApiProperty(NAME) name: string;
  @ApiProperty({ type: SavedViewQuery, description: 'Parameters for the list. Send them as they are.' })
  query: SavedViewQuery;
  @ApiProperty(SHARED) shared: boolean;
  @ApiProperty({ type: () => ActorDto, description: 'Who saved the view.' }) owner: ActorDto;
  @ApiProperty({ description: 'Whether the caller may change and delete the view.', example: true })
  can_change: boolean;
  @ApiProperty({ ...time, description: 'Time at which the view was saved, ISO 8601.' }) created_at: string;
  @ApiProperty({ ...time, description: 'Time at which the view last changed, ISO 8601.' }) updated_at: string;
}

/** Response of GET /v2/workspace/views. */
export class SavedViewList {
  @ApiProperty({ description: 'Views that the caller sees, by name.', type: [SavedView], maxItems: 500 })
  views: SavedView[];
}

/** Response of DELETE /v2/workspace/views/:id. */
export class DeletedSavedView {
  @ApiProperty({ ...uuid, description: 'Unique identifier of the deleted view.' }) id: string;
  @ApiProperty({ description: 'Always true: the view no longer exists.', example: true }) deleted: boolean;
}
