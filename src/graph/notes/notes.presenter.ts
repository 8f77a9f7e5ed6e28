import type { NoteType } from '#domain/notes/note.js';
import { extractSnippet } from '#domain/text/snippet.js';
import { toIso } from '#domain/time/instant.js';
import type { ExtractedFacts } from './note-extraction.service.js';
import type { NoteRow } from './notes.queries.js';

/** A note with all that it says. */
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

/** A note as lists show it. */
export interface NotePreview {
  readonly id: string;
  readonly entity_id: string;
  readonly type: NoteType;
  readonly title: string;
  readonly date: string;
  /** How it begins. */
  readonly snippet: string;
}

/** The answer of a save. */
export interface SaveNoteResponse {
  readonly id: string;
  readonly entity_id: string;
  readonly type: NoteType;
  /** The same as `type`. */
  readonly doc_type: NoteType;
  readonly title: string;
  readonly date: string;
  /** Passages that it is searched by. */
  readonly chunks: number;
  /** The contact has this source and external id already; what was kept then stands. */
  readonly duplicate: boolean;
  /** A duplicate that says something else than what stands. */
  readonly conflict: boolean;
  /** The contact did not exist before. */
  readonly entity_created: boolean;
  readonly note: PresentedNote;
  /** What was read in it and recorded, where that was asked. */
  readonly extracted?: ExtractedFacts;
  /** Nothing was written, and ids of what is new stand for nothing. */
  readonly dry_run?: true;
}

/** A note as it is shown whole. */
export function presentNote(row: NoteRow): PresentedNote {
  const { id, entity_id, type, title, date, content, source, external_id, participants, created_at } = row;
  const created = toIso(created_at);
  return { id, entity_id, type, title, date, content, source, external_id, participants, created_at: created };
}

/** A note as lists show it, with the first `length` characters of what it says at most. */
export function presentPreview({ id, entity_id, type, title, date, content }: NoteRow, length: number): NotePreview {
  return { id, entity_id, type, title, date, snippet: extractSnippet(content, new Map(), length) };
}
