import type { Actor } from '#domain/actor/actor.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { isNoteEntry, type NoteEntry } from './note-entries.js';
import { formatSectionName, NOTES_SECTION } from './sections.js';

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
