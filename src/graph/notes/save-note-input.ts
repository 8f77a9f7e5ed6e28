import type { PreciseFocus } from '#domain/identity/focus.js';
import type { NoteType } from '#domain/notes/note.js';

/** A checked wish to save a note. */
export interface SaveNoteInput {
  readonly focus: PreciseFocus;
  readonly content: string;
  readonly type: NoteType;
  readonly title: string | undefined;
  /** ISO 8601 or plain words; undefined: today (UTC). */
  readonly date: string | undefined;
  readonly source: string;
  readonly externalId: string | undefined;
  readonly participants: readonly string[];
  /** Record what the note says as well. */
  readonly extract: boolean;
  /** Tell what would be kept, and keep nothing. */
  readonly dryRun: boolean;
}
