import type { JsonValue } from '#domain/observation/observation.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { isNoteEntry, type NoteEntry } from './note-entries.js';
import { formatSectionName, NOTES_SECTION } from './sections.js';

/** One version of a section, as it is kept. */
export interface SectionVersion {
  readonly id: string;
  readonly section: string;
  /** From 1. */
  readonly version: number;
  readonly content: JsonValue;
  /** Where it came from. */
  readonly source: string;
  /** Id of the API key that wrote it. */
  readonly author: string | null;
  /** Why it was written. */
  readonly note: string | null;
  readonly subject: string | null;
  /** 0..1. */
  readonly confidence: number;
  readonly sourcePath: string | null;
  readonly createdAt: Instant;
}

/** One fact of the flat list: a section as a whole, or one entry of the notes. */
export interface Fact {
  readonly id: string;
  /** Name of the section as people read it. */
  readonly category: string;
  readonly content: JsonValue;
  readonly subject: string | null;
  readonly source: string;
  readonly confidence: number;
  readonly source_path: string | null;
  readonly recorded_at: string;
}

/** The facts of a section: one, and for notes one per entry, the newest first. */
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
