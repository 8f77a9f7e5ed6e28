import type { PreciseFocus } from '#domain/identity/focus.js';
import type { NoteType } from '#domain/notes/note.js';

/** A validated request to save a note. */
export interface SaveNoteInput {
  readonly focus: PreciseFocus;
  readonly content: string;
  readonly type: NoteType;
  readonly title: string | undefined;
  /** ISO 8601 or words such as `yesterday`; undefined means today (UTC). */
  readonly date: string | undefined;
  readonly source: string;
  readonly externalId: string | undefined;
  readonly participants: readonly string[];
  /** Also extracts and records observations from the note. */
  readonly extract: boolean;
  /** Returns what would be saved without writing it. */
  readonly dryRun: boolean;
}
