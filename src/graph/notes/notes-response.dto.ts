import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { NOTE_TYPES } from '#domain/notes/note.js';
import { RecordTextResult } from '../open-text/open-text.dto.js';
import { EXAMPLE_IDS } from './notes.dto.js';

const { ENTITY, NOTE } = EXAMPLE_IDS;
const EXTRACTED_FIELDS = [
  ...(['recorded', 'duplicates', 'claims_recomputed', 'observations', 'needs_review'] as const),
  ...(['rejected', 'llm', 'llm_detail'] as const),
] as const;
const DATE = { format: 'date', description: 'YYYY-MM-DD.', example: '2026-11-20' };

/** What every shape of a note has. */
class NoteHeaderDto {
  @ApiProperty({ description: 'Unique identifier of the note.', format: 'uuid', example: NOTE }) id: string;
  @ApiProperty({ format: 'uuid', description: 'Contact or company that the note is attached to.', example: ENTITY })
  entity_id: string;
  @ApiProperty({ description: 'Kind of document, such as `transcript`.', enum: NOTE_TYPES, example: 'meeting_notes' })
  type: string;
  @ApiProperty({ description: 'Title of the note.', maxLength: 200, example: 'Renewal call' }) title: string;
  @ApiProperty({ ...DATE, description: 'Date of the meeting or note, `YYYY-MM-DD`.' }) date: string;
}

/** A note with all that it says. */
export class Note extends NoteHeaderDto {
  @ApiProperty({ description: 'Full text of the note.', maxLength: 200_000, example: 'Ada: we renew in March.' })
  content: string;
  @ApiProperty({ description: 'System or person that the note comes from.', maxLength: 100, example: 'agent' })
  source: string;
  @ApiProperty({
    description: 'Deduplication key from the source system. Null if none was given.',
    type: String,
    nullable: true,
    maxLength: 512,
    example: null,
  })
  external_id: string | null;
  @ApiProperty({
    description: 'People who took part, by name or e-mail address.',
    type: [String],
    maxItems: 100,
    example: ['ada@acme.com'],
  })
  participants: string[];
  @ApiProperty({
    description: 'Time at which the note was saved, ISO 8601.',
    format: 'date-time',
    example: '2026-11-20T09:30:00.000000Z',
  })
  created_at: string;
}

/** What was read in a note. */
export class NoteExtractionResult extends PickType(RecordTextResult, EXTRACTED_FIELDS) {}

/** Response of POST /v2/notes. */
export class SaveNoteResult extends NoteHeaderDto {
  @ApiProperty({ enum: NOTE_TYPES, description: 'Alias of the field `type`.', example: 'meeting_notes' })
  doc_type: string;
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'Number of passages that the note was split into for search.',
    example: 1,
  })
  chunks: number;
  @ApiProperty({
    description:
      'Whether a note with the same source and external ID already existed. That note is returned unchanged.',
    example: false,
  })
  duplicate: boolean;
  @ApiProperty({ description: 'Whether the duplicate has different content than the existing note.', example: false })
  conflict: boolean;
  @ApiProperty({ description: 'Whether the contact was created by this call.', example: false })
  entity_created: boolean;
  @ApiProperty({ type: Note, description: 'The note as it is stored.' }) note: Note;
  @ApiPropertyOptional({
    type: NoteExtractionResult,
    description: 'Facts extracted from the note. Only with `extract`.',
  })
  extracted?: NoteExtractionResult;
  @ApiPropertyOptional({
    description: 'True if this was a dry run; IDs of new records are then placeholders. Omitted otherwise.',
    example: false,
  })
  dry_run?: boolean;
}

/** A note as lists show it. */
export class NotePreviewDto extends NoteHeaderDto {
  @ApiProperty({
    maxLength: 280,
    description: 'Beginning of the content, at most 280 characters.',
    example: 'Ada: we renew in March.',
  })
  snippet: string;
}

/** Response of GET /v2/notes. */
export class NoteList {
  @ApiProperty({ type: [NotePreviewDto], maxItems: 100, description: 'Notes, newest first by their date.' })
  notes: NotePreviewDto[];
  @ApiProperty({ type: 'integer', description: 'Number of notes on this page.', example: 1 }) count: number;
  @ApiProperty({ description: 'Maximum number of notes on a page.', type: 'integer', example: 20 }) limit: number;
  @ApiProperty({ description: 'Whether another page exists.', example: false }) has_more: boolean;
  @ApiProperty({
    description: 'Cursor of the next page. Null on the last page.',
    type: String,
    nullable: true,
    maxLength: 1000,
    example: null,
  })
  next_cursor: string | null;
}

/** A note that was found. */
export class NoteHitDto extends NoteHeaderDto {
  @ApiProperty({
    minimum: 0,
    maximum: 1,
    description: 'Relevance of the note, 0 to 1; higher is closer. Compare it only within one response.',
    example: 0.7512,
  })
  similarity: number;
  @ApiProperty({
    maxLength: 400,
    description: 'Matching passage, about 400 characters at most.',
    example: 'Ada: we renew in March.',
  })
  snippet: string;
  @ApiProperty({ maxLength: 100, description: 'System or person that the note comes from.', example: 'agent' })
  source: string;
}

/** Response of POST /v2/notes/search. */
export class NoteSearchResult {
  @ApiProperty({ type: [NoteHitDto], maxItems: 20, description: 'Matching notes, closest first.' })
  documents: NoteHitDto[];
  @ApiProperty({ type: 'integer', description: 'Number of documents returned.', example: 1 }) count: number;
  @ApiProperty({
    enum: ['lexical', 'hybrid'],
    description:
      'How the search ranked: `lexical` by words, sales concepts and spelling; `hybrid` also by the meaning ' +
      'the embedding model captures.',
    example: 'lexical',
  })
  engine: string;
  @ApiProperty({
    enum: ['focus', 'workspace'],
    description: '`focus` if the search was limited to the entity in `focus`, else `workspace`.',
    example: 'focus',
  })
  scope: string;

  @ApiPropertyOptional({
    enum: ['embedder_unavailable', 'vectors_missing'],
    description:
      'Why the search was lexical although an embedding model is configured: it was unavailable, or the ' +
      'notes are not embedded yet. Omitted otherwise.',
    example: 'embedder_unavailable',
  })
  fallback?: string;
}
