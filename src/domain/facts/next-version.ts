import { findIssue } from '#domain/observation/value-issue.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { isModelContent, parseModel } from '#domain/score/parse-model.js';
import type { SectionVersion } from './fact.js';
import { isSameContent, applyWrite, type WriteMode } from './apply-write.js';
import { listNoteEntries, MAX_NOTE_ENTRIES, type NoteEntry, appendNote } from './note-entries.js';
import { parseProfile } from './profile.js';
import { ICP_SECTION, NOTES_SECTION, PROFILE_SECTION } from './sections.js';

/** Maximum size of the content of a section as JSON, in bytes. */
export const MAX_CONTENT_BYTES = 256 * 1024;

/** A write to a section. */
export interface SectionWrite {
  readonly section: string;
  readonly content: JsonValue;
  /** Default: `append` for notes, else `replace`. */
  readonly mode?: WriteMode;
  readonly subject?: string;
  readonly source: string;
  readonly note?: string;
  /** 0..1. */
  readonly confidence: number;
  readonly sourcePath?: string;
  /** Version that the writer has read; 0 if there was none. */
  readonly expectedVersion?: number;
  /** ID of the fact that this one replaces. */
  readonly supersedes?: string;
}

/** ID and time of the new version. */
export interface VersionMetadata {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A problem of one field. */
export interface FactProblem {
  readonly field: string;
  readonly message: string;
}

/** The next content of a section; `same` if it does not change; or the reason for rejecting the write. */
export type NextVersion =
  | { readonly outcome: 'new' | 'same'; readonly content: JsonValue }
  | { readonly outcome: 'conflict' }
  | { readonly outcome: 'refused'; readonly problems: readonly FactProblem[] };

/** Returns the mode of a write. */
export function resolveWriteMode({ section, mode }: SectionWrite): WriteMode {
  return mode ?? (section === NOTES_SECTION ? 'append' : 'replace');
}

/** Computes the next version of a section. */
export function computeNextVersion(
  current: SectionVersion | undefined,
  write: SectionWrite,
  stamp: VersionMetadata,
): NextVersion {
  if (write.expectedVersion !== undefined && write.expectedVersion !== (current?.version ?? 0)) {
    return { outcome: 'conflict' };
  }
  return write.section === NOTES_SECTION ? nextNotesVersion(current, write, stamp) : nextSectionVersion(current, write);
}

function nextSectionVersion(current: SectionVersion | undefined, write: SectionWrite): NextVersion {
  if (write.supersedes !== undefined && write.supersedes !== current?.id) return { outcome: 'conflict' };
  const next = applyWrite(current?.content, write.content, resolveWriteMode(write));
  if (!next.ok) return rejectVersion('content', next.problem);
  const checked = checkContent(write.section, next.content);
  return checked.ok ? checkSize(current, checked.content) : { outcome: 'refused', problems: checked.problems };
}

type ContentCheck =
  | { readonly ok: true; readonly content: JsonValue }
  | { readonly ok: false; readonly problems: readonly FactProblem[] };

/** Sections that other parts of Rapport read are validated; an ideal customer described in prose is stored as it is. */
function checkContent(section: string, content: JsonValue): ContentCheck {
  if (section === PROFILE_SECTION) {
    const read = parseProfile(content);
    return read.ok ? { ok: true, content: read.profile } : read;
  }
  const read = section === ICP_SECTION && isModelContent(content) ? parseModel(content, 1) : undefined;
  return read?.ok === false ? read : { ok: true, content };
}

function nextNotesVersion(
  current: SectionVersion | undefined,
  write: SectionWrite,
  stamp: VersionMetadata,
): NextVersion {
  const known = listNoteEntries(current?.content);
  const { supersedes } = write;
  if (supersedes !== undefined && !known.some(({ id }) => id === supersedes)) return { outcome: 'conflict' };
  const previous = resolveWriteMode(write) === 'replace' && supersedes === undefined ? [] : known;
  const notes = appendNote(previous, toNoteEntry(write, stamp), supersedes);
  if (notes.length > MAX_NOTE_ENTRIES) {
    return rejectVersion(
      'content',
      `The notes hold ${MAX_NOTE_ENTRIES} entries already; supersede one, or send mode "replace".`,
    );
  }
  const same = notes.length === known.length && notes.every((entry, i) => entry === known[i]);
  return same ? { outcome: 'same', content: [...known] } : checkSize(current, [...notes]);
}

function toNoteEntry(write: SectionWrite, { id, at }: VersionMetadata): NoteEntry {
  return {
    id,
    content: write.content,
    subject: write.subject ?? null,
    source: write.source,
    confidence: write.confidence,
    source_path: write.sourcePath ?? null,
    recorded_at: at,
  };
}

function checkSize(current: SectionVersion | undefined, content: JsonValue): NextVersion {
  const flaw = findIssue(content, MAX_CONTENT_BYTES);
  if (flaw) return rejectVersion('content', `content${flaw.path} ${flaw.message}.`);
  return { outcome: isSameContent(current?.content, content) ? 'same' : 'new', content };
}

function rejectVersion(field: string, message: string): NextVersion {
  return { outcome: 'refused', problems: [{ field, message }] };
}
