import type { NoteType } from '#domain/notes/note.js';
import { extractSnippet } from '#domain/text/snippet.js';
import { toIso } from '#domain/time/instant.js';
import type { ExtractedFacts } from './note-extraction.service.js';
import type { NoteRow } from './notes.queries.js';

/** A note with its full content. */
export interface PresentedNote {
  readonly id: string;
  readonly entity_id: string;
  readonly type: NoteType;
  readonly title: string;
  readonly date: string;
  readonly content: string;
  readonly source: string;
  readonly external_id: string | null;
  readonly participants: readonly string[];
  readonly created_at: string;
}

/** A note in a list, with the beginning of its content. */
export interface NotePreview {
  readonly id: string;
  readonly entity_id: string;
  readonly type: NoteType;
  readonly title: string;
  readonly date: string;
  /** The beginning of the content. */
  readonly snippet: string;
}

/** Response of saving a note. */
export interface SaveNoteResponse {
  readonly id: string;
  readonly entity_id: string;
  readonly type: NoteType;
  /** The same as `type`. */
  readonly doc_type: NoteType;
  readonly title: string;
  readonly date: string;
  /** Number of passages that are indexed for search. */
  readonly chunks: number;
  /** Whether the entity already has a note with this source and external ID; that note is unchanged. */
  readonly duplicate: boolean;
  /** Whether a duplicate differs from the stored note. */
  readonly conflict: boolean;
  /** Whether the entity was created by this request. */
  readonly entity_created: boolean;
  readonly note: PresentedNote;
  /** The extracted observations, if `extract` was requested. */
  readonly extracted?: ExtractedFacts;
  /** Nothing was written; IDs of new rows are placeholders. */
  readonly dry_run?: true;
}

/** Converts a note row to its full response shape. */
export function presentNote(row: NoteRow): PresentedNote {
  const { id, entity_id, type, title, date, content, source, external_id, participants, created_at } = row;
  const created = toIso(created_at);
  return { id, entity_id, type, title, date, content, source, external_id, participants, created_at: created };
}

/** Converts a note row to its preview. @param length maximum length of the snippet, in characters. */
export function presentPreview({ id, entity_id, type, title, date, content }: NoteRow, length: number): NotePreview {
  return { id, entity_id, type, title, date, snippet: extractSnippet(content, new Map(), length) };
}
