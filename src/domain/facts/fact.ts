import type { Actor } from '../actor/actor.js';
import { type Instant, toIso } from '../time/instant.js';
import { canonicalKey } from '../comparison/canonical-key.js';
import type { JsonValue } from '../observation/observation.js';
import { formatSectionName, NOTES_SECTION } from './sections.js';

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

/** A stored version of a section. */
export interface SectionVersion {
  readonly id: string;
  readonly section: string;
  /** From 1. */
  readonly version: number;
  readonly content: JsonValue;
  /** Origin of the content. */
  readonly source: string;
  /** Who wrote it. */
  readonly author: Actor | null;
  /** Reason for the change. */
  readonly note: string | null;
  readonly subject: string | null;
  /** 0..1. */
  readonly confidence: number;
  readonly sourcePath: string | null;
  readonly createdAt: Instant;
}

/** An entry of the flat list of facts: a section, or one entry of the notes. */
export interface Fact {
  readonly id: string;
  /** Display name of the section. */
  readonly category: string;
  readonly content: JsonValue;
  readonly subject: string | null;
  readonly source: string;
  readonly confidence: number;
  readonly source_path: string | null;
  readonly recorded_at: string;
}

/** Returns the facts of a section: one, or for notes one per entry, newest first. */
export function toFacts(version: SectionVersion): Fact[] {
  const { section, content } = version;
  if (section !== NOTES_SECTION || !Array.isArray(content)) return [toFact(version)];
  return content.filter(isNoteEntry).map(noteToFact).toReversed();
}

function toFact(version: SectionVersion): Fact {
  return {
    id: version.id,
    category: formatSectionName(version.section),
    content: version.content,
    subject: version.subject,
    source: version.source,
    confidence: version.confidence,
    source_path: version.sourcePath,
    recorded_at: toIso(version.createdAt),
  };
}

function noteToFact(entry: NoteEntry): Fact {
  return {
    id: entry.id,
    category: formatSectionName(NOTES_SECTION),
    content: entry.content,
    subject: entry.subject,
    source: entry.source,
    confidence: entry.confidence,
    source_path: entry.source_path,
    recorded_at: entry.recorded_at,
  };
}
