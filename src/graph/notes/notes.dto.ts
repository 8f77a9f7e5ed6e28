import {
  ValidateBy,
  type ValidationOptions,
  Allow,
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { findTextIssue } from '#domain/observation/observation.js';
import { OptionalField, ToInt, NotBlank } from '#kernel/http/validation.decorators.js';
import { MAX_NOTE_LENGTH, NOTE_TYPES } from '#domain/notes/note.js';
import { focusProperty } from '../identity/focus.dto.js';

/** Property decorator: validates that a text has no NUL character and no lone surrogate, which PostgreSQL cannot store. */
export function IsStorable(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isStorable',
      validator: {
        validate: value => typeof value !== 'string' || findTextIssue(value) === undefined,
        defaultMessage: () => '$property must be text without NUL characters and halves of surrogate pairs',
      },
    },
    options,
  );
}

const MAX_OFFSET = 10_000;

/** Longest question, in UTF-16 units. */
export const MAX_QUESTION_LENGTH = 2000;

const ENTITY = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const NOTE = '01941f60-1c55-7a10-8a1b-9b6f0c2d4e11';

/** The body of POST /v2/notes. */
export class SaveNoteRequest {
  @ApiProperty(
    focusProperty(
      'Contact or company to attach the note to: entity UUID, e-mail address, domain or LinkedIn URL. ' +
        'Created if it does not exist. A bare name returns 400 `invalid_focus`.',
    ),
  )
  @OptionalField()
  @IsString()
  focus: string;

  @ApiProperty({
    description: 'Full text of the note.',
    maxLength: MAX_NOTE_LENGTH,
    example: 'Ada: we renew in March.',
  })
  @OptionalField()
  @IsString()
  content: string;

  @ApiPropertyOptional({
    description: 'Kind of document, such as `transcript`.',
    enum: NOTE_TYPES,
    default: 'note',
    example: 'meeting_notes',
  })
  @OptionalField()
  @IsString()
  @MaxLength(40)
  type?: string;

  @ApiPropertyOptional({
    description: 'Title of the note. Longer titles are cut to 200 characters. Default: the beginning of the content.',
    maxLength: 2000,
    example: 'Renewal call',
  })
  @OptionalField()
  @IsString()
  @MaxLength(2000)
  @IsStorable()
  title?: string;

  @ApiPropertyOptional({
    description: 'Date of the meeting or note: ISO 8601, or plain words such as `last Tuesday`. Default: today (UTC).',
    maxLength: 100,
    example: '2026-11-20',
  })
  @OptionalField()
  @IsString()
  @MaxLength(100)
  date?: string;

  @ApiPropertyOptional({
    description: 'System or person that the note comes from.',
    default: 'agent',
    maxLength: 100,
    example: 'agent',
  })
  @OptionalField()
  @IsString()
  @NotBlank()
  @MaxLength(100)
  @IsStorable()
  source?: string;

  @ApiPropertyOptional({
    description: 'Deduplication key from the source system. A contact keeps one note per source and key.',
    maxLength: 512,
    example: 'call-8842',
  })
  @OptionalField()
  @IsString()
  @NotBlank()
  @MaxLength(512)
  @IsStorable()
  external_id?: string;

  @ApiPropertyOptional({
    description: 'People who took part, by name or e-mail address.',
    type: 'array',
    items: { type: 'string', maxLength: 320 },
    maxItems: 100,
    example: ['ada@acme.com'],
  })
  @OptionalField()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  @NotBlank({ each: true })
  @MaxLength(320, { each: true })
  @IsStorable({ each: true })
  participants?: string[];

  @ApiPropertyOptional({
    description:
      'Whether to extract facts from the note and record them, dated as the note. Works like `POST ' +
      '/v2/observations/from-text` and reads at most 50,000 characters.',
    default: false,
    example: false,
  })
  @OptionalField()
  @IsBoolean()
  extract?: boolean;

  @ApiPropertyOptional({
    description: 'Set to true to return the result without saving anything.',
    default: false,
    example: false,
  })
  @OptionalField()
  @IsBoolean()
  dry_run?: boolean;
}

/** The query of GET /v2/notes. */
export class NotesQuery {
  @ApiPropertyOptional({
    description:
      'Return only notes of this entity: UUID, e-mail address, domain, LinkedIn URL or name. A company ' +
      'includes the notes of its people. Default: all notes.',
    maxLength: 320,
  })
  @OptionalField()
  @IsString()
  @MaxLength(320)
  focus?: string;

  @ApiPropertyOptional({ enum: NOTE_TYPES, description: 'Return only notes of this type.' })
  @OptionalField()
  @IsString()
  @MaxLength(40)
  type?: string;

  @ApiPropertyOptional({
    type: 'integer',
    default: 20,
    minimum: 1,
    maximum: 100,
    description: 'Maximum number of notes on a page. Values above 100 are treated as 100.',
  })
  @OptionalField()
  @ToInt()
  @IsInt()
  @Min(1)
  limit?: number;

  @ApiPropertyOptional({
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: MAX_OFFSET,
    description: 'Number of notes to skip. Prefer `cursor`, which stays stable while notes are added.',
  })
  @OptionalField()
  @ToInt()
  @IsInt()
  @Min(0)
  @Max(MAX_OFFSET)
  offset?: number;

  @ApiPropertyOptional({
    description: '`next_cursor` of the previous page, with otherwise unchanged parameters.',
    maxLength: 1000,
  })
  @OptionalField()
  @IsString()
  @MaxLength(1000)
  cursor?: string;
}

/** The body of POST /v2/notes/search. */
export class SearchNotesRequest {
  @ApiProperty({
    description: 'What to look for, in plain words. Must not be empty.',
    maxLength: MAX_QUESTION_LENGTH,
    example: 'when do they renew?',
  })
  @Allow()
  question: string;

  @ApiPropertyOptional(
    focusProperty(
      'Search only notes of this entity: UUID, e-mail address, domain or LinkedIn URL. A company includes ' +
        'the notes of its people. If it matches nothing, the whole workspace is searched.',
      2000,
    ),
  )
  @OptionalField()
  @IsString()
  @MaxLength(2000)
  focus?: string;

  @ApiPropertyOptional({
    type: 'integer',
    default: 8,
    minimum: 1,
    maximum: 20,
    description: 'Maximum number of documents to return. Values above 20 are treated as 20.',
    example: 8,
  })
  @OptionalField()
  @IsInt()
  @Min(1)
  limit?: number;
}

/** Ids that examples share. */
export const EXAMPLE_IDS = { ENTITY, NOTE };
