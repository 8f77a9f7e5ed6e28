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
  @ApiProperty({ format: 'uuid', example: NOTE }) id: string;
  @ApiProperty({ format: 'uuid', description: 'The contact that holds it.', example: ENTITY }) entity_id: string;
  @ApiProperty({ enum: NOTE_TYPES, example: 'meeting_notes' }) type: string;
  @ApiProperty({ maxLength: 200, example: 'Renewal call' }) title: string;
  @ApiProperty(DATE) date: string;
}

/** A note with all that it says. */
export class Note extends NoteHeaderDto {
  @ApiProperty({ maxLength: 200_000, example: 'Ada: we renew in March.' }) content: string;
  @ApiProperty({ maxLength: 100, example: 'agent' }) source: string;
  @ApiProperty({ type: String, nullable: true, maxLength: 512, example: null }) external_id: string | null;
  @ApiProperty({ type: [String], maxItems: 100, example: ['ada@acme.com'] }) participants: string[];
  @ApiProperty({ format: 'date-time', example: '2026-11-20T09:30:00.000000Z' }) created_at: string;
}

/** What was read in a note. */
export class NoteExtractionResult extends PickType(RecordTextResult, EXTRACTED_FIELDS) {}

/** The answer of POST /v2/notes. */
export class SaveNoteResult extends NoteHeaderDto {
  @ApiProperty({ enum: NOTE_TYPES, description: 'The same as `type`.', example: 'meeting_notes' }) doc_type: string;
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Passages that it is searched by.', example: 1 })
  chunks: number;
  @ApiProperty({ description: 'The contact had this source and external id already.', example: false })
  duplicate: boolean;
  @ApiProperty({ description: 'A duplicate that says something else than what stands.', example: false })
  conflict: boolean;
  @ApiProperty({ description: 'The contact did not exist before.', example: false }) entity_created: boolean;
  @ApiProperty({ type: Note, description: 'What is kept.' }) note: Note;
  @ApiPropertyOptional({
    type: NoteExtractionResult,
    description: 'With `extract`: what was read in it, recorded or not, with the words that say it.',
  })
  extracted?: NoteExtractionResult;
  @ApiPropertyOptional({
    description: 'Nothing was written, and ids of what is new stand for nothing.',
    example: false,
  })
  dry_run?: boolean;
}

/** A note as lists show it. */
export class NotePreviewDto extends NoteHeaderDto {
  @ApiProperty({ maxLength: 280, description: 'How it begins.', example: 'Ada: we renew in March.' }) snippet: string;
}

/** The answer of GET /v2/notes. */
export class NoteList {
  @ApiProperty({ type: [NotePreviewDto], maxItems: 100, description: 'The newest first.' }) notes: NotePreviewDto[];
  @ApiProperty({ type: 'integer', description: 'Notes on this page.', example: 1 }) count: number;
  @ApiProperty({ type: 'integer', example: 20 }) limit: number;
  @ApiProperty({ example: false }) has_more: boolean;
  @ApiProperty({ type: String, nullable: true, maxLength: 1000, example: null }) next_cursor: string | null;
}

/** A note that was found. */
export class NoteHitDto extends NoteHeaderDto {
  @ApiProperty({ minimum: 0, maximum: 1, description: 'The higher, the closer; four decimals.', example: 0.7512 })
  similarity: number;
  @ApiProperty({ maxLength: 400, description: 'The passage that matches.', example: 'Ada: we renew in March.' })
  snippet: string;
  @ApiProperty({ maxLength: 100, description: 'Where the note came from.', example: 'agent' }) source: string;
}

/** The answer of POST /v2/notes/search. */
export class NoteSearchResult {
  @ApiProperty({ type: [NoteHitDto], maxItems: 20, description: 'The closest first.' }) documents: NoteHitDto[];
  @ApiProperty({ type: 'integer', description: 'Documents returned.', example: 1 }) count: number;
  @ApiProperty({
    enum: ['lexical', 'hybrid'],
    description: 'How `similarity` was made: from words and concepts, or from these and the meaning of an embedder.',
    example: 'lexical',
  })
  engine: string;
  @ApiProperty({
    enum: ['focus', 'workspace'],
    description: 'Whether the focus narrowed the search down.',
    example: 'focus',
  })
  scope: string;

  @ApiPropertyOptional({
    enum: ['embedder_unavailable', 'vectors_missing'],
    description:
      'Why this search was made by words alone: the embedder gave no answer, or the notes have no vectors of it yet.',
    example: 'embedder_unavailable',
  })
  fallback?: string;
}
