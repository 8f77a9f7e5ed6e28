import { canonicalKey } from '#domain/claims/canonical-key.js';
import type { JsonValue } from '#domain/observation/observation.js';

/** Maximum number of entries in the notes of a workspace. */
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

/** Returns whether a member of the notes is an entry. */
export function isNoteEntry(value: JsonValue): value is NoteEntry {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && typeof value['id'] === 'string';
}

/** Returns the entries of stored notes, oldest first. */
export function listNoteEntries(content: JsonValue | undefined): NoteEntry[] {
  return Array.isArray(content) ? content.filter(isNoteEntry) : [];
}

/**
 * Returns the notes with one more entry at the end or, with `supersedes`, in place of the entry with that ID. Returns
 * them unchanged if an entry with the same content and subject exists.
 */
export function appendNote(entries: readonly NoteEntry[], entry: NoteEntry, supersedes?: string): readonly NoteEntry[] {
  const others = entries.filter(({ id }) => id !== supersedes);
  if (others.some(other => isSameNote(other, entry))) return others.length === entries.length ? entries : others;
  const at = entries.findIndex(({ id }) => id === supersedes);
  if (at === -1) return [...entries, entry];
  return isSameNote(entries[at]!, entry) ? entries : entries.with(at, entry);
}

/** Returns whether two entries have the same content and subject. */
export function isSameNote(one: NoteEntry, other: NoteEntry): boolean {
  return one.subject === other.subject && canonicalKey(one.content) === canonicalKey(other.content);
}
