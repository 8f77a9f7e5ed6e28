import { flawOf } from '#domain/observation/json-check.js';
import type { Json } from '#domain/observation/observation.js';
import { looksLikeModel, readModel } from '#domain/score/read-model.js';
import type { SectionVersion } from './fact.js';
import { isSameContent, nextContent, type WriteMode } from './next-content.js';
import { entriesOf, MAX_NOTES, type NoteEntry, withNote } from './notes.js';
import { readProfile } from './profile.js';
import { ICP, NOTES, PROFILE } from './sections.js';

/** Most bytes that the content of a section takes as JSON. */
export const MAX_CONTENT_BYTES = 256 * 1024;

/** What somebody wants a section to hold. */
export interface SectionWrite {
  readonly section: string;
  readonly content: Json;
  /** Absent: `append` for notes, else `replace`. */
  readonly mode?: WriteMode;
  readonly subject?: string;
  readonly source: string;
  readonly note?: string;
  /** 0..1. */
  readonly confidence: number;
  readonly sourcePath?: string;
  /** Version that the writer has seen; 0 when there was none. */
  readonly expectedVersion?: number;
  /** Id of the fact that this one takes the place of. */
  readonly supersedes?: string;
}

/** A new fact, as the store will know it. */
export interface Stamp {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
}

/** What is wrong with one field. */
export interface FactProblem {
  readonly field: string;
  readonly message: string;
}

/** The content of the next version; `same` when the section says just that already; or what speaks against it. */
export type NextVersion =
  | { readonly outcome: 'new' | 'same'; readonly content: Json }
  | { readonly outcome: 'conflict' }
  | { readonly outcome: 'refused'; readonly problems: readonly FactProblem[] };

/** The mode that a write means. */
export function modeOf({ section, mode }: SectionWrite): WriteMode {
  return mode ?? (section === NOTES ? 'append' : 'replace');
}

/** What a write makes of the current version of its section. */
export function nextVersion(current: SectionVersion | undefined, write: SectionWrite, stamp: Stamp): NextVersion {
  if (write.expectedVersion !== undefined && write.expectedVersion !== (current?.version ?? 0)) {
    return { outcome: 'conflict' };
  }
  return write.section === NOTES ? nextNotes(current, write, stamp) : nextOfSection(current, write);
}

function nextOfSection(current: SectionVersion | undefined, write: SectionWrite): NextVersion {
  if (write.supersedes !== undefined && write.supersedes !== current?.id) return { outcome: 'conflict' };
  const next = nextContent(current?.content, write.content, modeOf(write));
  if (!next.ok) return refused('content', next.problem);
  const checked = checkedContent(write.section, next.content);
  return checked.ok ? sized(current, checked.content) : { outcome: 'refused', problems: checked.problems };
}

type Checked =
  | { readonly ok: true; readonly content: Json }
  | { readonly ok: false; readonly problems: readonly FactProblem[] };

/** The sections that others of the house work with have a form; prose about the ideal customer is kept as it is. */
function checkedContent(section: string, content: Json): Checked {
  if (section === PROFILE) {
    const read = readProfile(content);
    return read.ok ? { ok: true, content: read.profile } : read;
  }
  const read = section === ICP && looksLikeModel(content) ? readModel(content, 1) : undefined;
  return read?.ok === false ? read : { ok: true, content };
}

function nextNotes(current: SectionVersion | undefined, write: SectionWrite, stamp: Stamp): NextVersion {
  const known = entriesOf(current?.content);
  const { supersedes } = write;
  if (supersedes !== undefined && !known.some(({ id }) => id === supersedes)) return { outcome: 'conflict' };
  const kept = modeOf(write) === 'replace' && supersedes === undefined ? [] : known;
  const notes = withNote(kept, entryOf(write, stamp), supersedes);
  if (notes.length > MAX_NOTES) {
    return refused('content', `The notes hold ${MAX_NOTES} entries already; supersede one, or send mode "replace".`);
  }
  const same = notes.length === known.length && notes.every((entry, i) => entry === known[i]);
  return same ? { outcome: 'same', content: [...known] } : sized(current, [...notes]);
}

function entryOf(write: SectionWrite, { id, at }: Stamp): NoteEntry {
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

function sized(current: SectionVersion | undefined, content: Json): NextVersion {
  const flaw = flawOf(content, MAX_CONTENT_BYTES);
  if (flaw) return refused('content', `content${flaw.path} ${flaw.what}.`);
  return { outcome: isSameContent(current?.content, content) ? 'same' : 'new', content };
}

function refused(field: string, message: string): NextVersion {
  return { outcome: 'refused', problems: [{ field, message }] };
}
