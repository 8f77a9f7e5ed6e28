import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, ArrayMaxSize, IsArray, IsBoolean, IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { OptionalField } from '#kernel/http/optional-field.decorator.js';
import { ToInt } from '#kernel/http/to-int.decorator.js';
import { NotBlank } from '#kernel/http/not-blank.decorator.js';
import { MAX_NOTE_LENGTH, NOTE_TYPES } from '#domain/notes/note.js';
import { IsStorable } from './is-storable.js';

const MAX_OFFSET = 10_000;

/** Longest question, in UTF-16 units. */
export const MAX_QUESTION_LENGTH = 2000;

const ENTITY = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';
const NOTE = '01941f60-1c55-7a10-8a1b-9b6f0c2d4e11';
const FOCUS_DESCRIPTION = 'Entity UUID, e-mail address, domain or LinkedIn URL';

/** The body of POST /v2/notes. */
export class SaveNoteRequest {
  @ApiProperty({
    description: `${FOCUS_DESCRIPTION}. A bare name is refused.`,
    maxLength: 320,
    example: 'ada@acme.com',
  })
  @OptionalField()
  @IsString()
  focus: string;

  @ApiProperty({ description: 'What the note says.', maxLength: MAX_NOTE_LENGTH, example: 'Ada: we renew in March.' })
  @OptionalField()
  @IsString()
  content: string;

  @ApiPropertyOptional({ enum: NOTE_TYPES, default: 'note', example: 'meeting_notes' })
  @OptionalField()
  @IsString()
  @MaxLength(40)
  type?: string;

  @ApiPropertyOptional({
    description: 'Longer ones are cut at 200 characters. Default: how the content begins.',
    maxLength: 2000,
    example: 'Renewal call',
  })
  @OptionalField()
  @IsString()
  @MaxLength(2000)
  @IsStorable()
  title?: string;

  @ApiPropertyOptional({
    description: 'ISO 8601, or plain words such as `last Tuesday`. Default: today (UTC).',
    maxLength: 100,
    example: '2026-11-20',
  })
  @OptionalField()
  @IsString()
  @MaxLength(100)
  date?: string;

  @ApiPropertyOptional({ description: 'Where it came from.', default: 'agent', maxLength: 100, example: 'agent' })
  @OptionalField()
  @IsString()
  @NotBlank()
  @MaxLength(100)
  @IsStorable()
  source?: string;

  @ApiPropertyOptional({
    description: 'Key of the upstream system. A contact keeps one note per source and key.',
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
    description: 'Who took part: names or addresses.',
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
      'Read the note as `POST /v2/observations/from-text` reads a text (50000 characters at most), and record what ' +
      'nothing speaks against, as of its date.',
    default: false,
    example: false,
  })
  @OptionalField()
  @IsBoolean()
  extract?: boolean;

  @ApiPropertyOptional({ description: 'Tell what would be kept, and keep nothing.', default: false, example: false })
  @OptionalField()
  @IsBoolean()
  dry_run?: boolean;
}

/** The query of GET /v2/notes. */
export class NotesQuery {
  @ApiPropertyOptional({
    description: `${FOCUS_DESCRIPTION}, or a name. Default: everybody.`,
    maxLength: 320,
    example: 'acme.com',
  })
  @OptionalField()
  @IsString()
  @MaxLength(320)
  focus?: string;

  @ApiPropertyOptional({ enum: NOTE_TYPES, description: 'Only notes of this type.', example: 'transcript' })
  @OptionalField()
  @IsString()
  @MaxLength(40)
  type?: string;

  @ApiPropertyOptional({
    type: 'integer',
    default: 20,
    minimum: 1,
    maximum: 100,
    description: 'Notes on a page; more than the maximum is taken as the maximum.',
    example: 20,
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
    description: 'Notes to leave out. Prefer `cursor`, which stays in place when notes are added.',
    example: 0,
  })
  @OptionalField()
  @ToInt()
  @IsInt()
  @Min(0)
  @Max(MAX_OFFSET)
  offset?: number;

  @ApiPropertyOptional({
    description: '`next_cursor` of the page before.',
    maxLength: 1000,
    example: 'WyIgIiwiMjAyNiJd',
  })
  @OptionalField()
  @IsString()
  @MaxLength(1000)
  cursor?: string;
}

/** The body of POST /v2/notes/search. */
export class SearchNotesRequest {
  @ApiProperty({
    description: 'What to look for, in your own words.',
    maxLength: MAX_QUESTION_LENGTH,
    example: 'when do they renew?',
  })
  @Allow()
  question: string;

  @ApiPropertyOptional({
    description: `${FOCUS_DESCRIPTION}; of a company also the notes of its people. What names nobody searches everybody’s notes.`,
    maxLength: 2000,
    example: 'ada@acme.com',
  })
  @OptionalField()
  @IsString()
  @MaxLength(2000)
  focus?: string;

  @ApiPropertyOptional({
    type: 'integer',
    default: 8,
    minimum: 1,
    maximum: 20,
    description: 'Documents at most; more than the maximum is taken as the maximum.',
    example: 8,
  })
  @OptionalField()
  @IsInt()
  @Min(1)
  limit?: number;
}

/** Ids that examples share. */
export const EXAMPLE_IDS = { ENTITY, NOTE };
