import canonicalize from 'canonicalize';
import { findIssue, type JsonValue } from '../observation/observation.js';
import { isModelContent, parseModel } from '../score/parse-model.js';
import { type SectionVersion, listNoteEntries, MAX_NOTE_ENTRIES, type NoteEntry, appendNote } from './fact.js';
import { parseProfile } from './profile.js';
import { ICP_SECTION, NOTES_SECTION, PROFILE_SECTION } from './sections.js';

/** `replace`: the content becomes what was sent. `append`: what was sent is added to it. */
export type WriteMode = 'replace' | 'append';

/** The content of a section after a write, or the reason why the write is invalid. */
export type AppliedWrite =
  | { readonly ok: true; readonly content: JsonValue }
  | { readonly ok: false; readonly problem: string };

/**
 * Applies a write to the content of a section. Appending adds a paragraph to a text, members to a list, or fields to an
 * object (replacing fields of the same name). Text cannot be appended to an object, nor an object to a text.
 */
export function applyWrite(before: JsonValue | undefined, sent: JsonValue, mode: WriteMode): AppliedWrite {
  if (mode === 'replace' || before === undefined) return { ok: true, content: sent };
  if (typeof before === 'string' && typeof sent === 'string') return { ok: true, content: `${before}\n\n${sent}` };
  if (Array.isArray(before)) return { ok: true, content: [...before, ...(Array.isArray(sent) ? sent : [sent])] };
  if (isObject(before) && isObject(sent)) return { ok: true, content: { ...before, ...sent } };
  const problem =
    'content cannot be appended to what the section holds; send the same kind of value, or mode "replace".';
  return { ok: false, problem };
}

/** Returns whether two contents are equal, ignoring the order of fields. */
export function isSameContent(one: JsonValue | undefined, other: JsonValue): boolean {
  return one !== undefined && canonicalize(one) === canonicalize(other);
}

function isObject(value: JsonValue | undefined): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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

/** Maximum number of paths returned. */
export const MAX_CHANGED_PATHS = 200;

/** Path of the content as a whole. */
export const ROOT_PATH = '$';

/**
 * Returns the paths at which two versions differ, such as `fit[0].weight`, in reading order, at most {@link
 * MAX_CHANGED_PATHS}; `$` if the whole content differs. Added and removed parts are named by their outermost path.
 * Empty for equal contents.
 */
export function listChangedPaths(before: JsonValue | undefined, after: JsonValue): string[] {
  const paths: string[] = [];
  collect(before, after, '', paths);
  return paths;
}

function collect(before: JsonValue | undefined, after: JsonValue | undefined, path: string, paths: string[]): void {
  if (paths.length >= MAX_CHANGED_PATHS || before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    const longest = Math.max(before.length, after.length);
    for (let i = 0; i < longest; i++) collect(before[i], after[i], `${path}[${i}]`, paths);
  } else if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      collect(getOwn(before, key), getOwn(after, key), path === '' ? key : `${path}.${key}`, paths);
    }
  } else {
    paths.push(path === '' ? ROOT_PATH : path);
  }
}

function getOwn(object: Record<string, JsonValue>, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
