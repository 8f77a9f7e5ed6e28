import { canonicalKey } from '#domain/claims/canonical-key.js';
import type { JsonValue } from '#domain/observation/observation.js';

/** Most entries that the notes of a workspace hold. */
export const MAX_NOTE_ENTRIES = 400;

/** One entry of the section `notes`. */
export type NoteEntry = {
  id: string;
  content: JsonValue;
  subject: string | null;
  source: string;
  confidence: number;
  source_path: string | null;
  recorded_at: string;
};

/** Whether a value kept in the notes is an entry. */
export function isNoteEntry(value: JsonValue): value is NoteEntry {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && typeof value['id'] === 'string';
}

/** The entries of kept notes, the oldest first. */
export function listNoteEntries(content: JsonValue | undefined): NoteEntry[] {
  return Array.isArray(content) ? content.filter(isNoteEntry) : [];
}

/**
 * Notes with one more entry at the end, or, with `supersedes`, with the entry of that id replaced in its place.
 * The same notes when an entry says just that about the same subject already.
 */
export function appendNote(entries: readonly NoteEntry[], entry: NoteEntry, supersedes?: string): readonly NoteEntry[] {
  const others = entries.filter(({ id }) => id !== supersedes);
  if (others.some(other => isSameNote(other, entry))) return others.length === entries.length ? entries : others;
  const at = entries.findIndex(({ id }) => id === supersedes);
  if (at === -1) return [...entries, entry];
  return isSameNote(entries[at]!, entry) ? entries : entries.with(at, entry);
}

/** Whether two entries say the same about the same subject, whoever said it when. */
export function isSameNote(one: NoteEntry, other: NoteEntry): boolean {
  return one.subject === other.subject && canonicalKey(one.content) === canonicalKey(other.content);
}
