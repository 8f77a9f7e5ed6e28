import { findTextIssue } from '../observation/observation.js';

/** Types of notes. */
export const NOTE_TYPES = ['note', 'meeting_notes', 'meeting_brief', 'transcript', 'pre_meeting', 'research'] as const;

/** One of {@link NOTE_TYPES}. */
export type NoteType = (typeof NOTE_TYPES)[number];

/** Maximum length of the content in UTF-16 units: a transcript of three hours. */
export const MAX_NOTE_LENGTH = 200_000;

/** Maximum length of a title; longer ones are truncated. */
export const MAX_NOTE_TITLE_LENGTH = 200;

const MAX_DERIVED_TITLE_LENGTH = 80;

/** Returns whether a text is a note type. */
export function isNoteType(text: string): text is NoteType {
  return NOTE_TYPES.some(type => type === text);
}

/**
 * Returns the title of a note: the given one, truncated at {@link MAX_NOTE_TITLE_LENGTH}, else the beginning of its
 * first line.
 */
export function deriveNoteTitle(given: string | undefined, content: string): string {
  const title = given?.replace(/\s+/g, ' ').trim();
  if (title) return truncateAt(title, MAX_NOTE_TITLE_LENGTH);
  const [line = ''] = content.trim().split('\n');
  return truncateAt(line.replace(/^[#>*\s-]+/, '').trim() || line.trim(), MAX_DERIVED_TITLE_LENGTH);
}

/** Returns the problem of a note's content, worded to follow the name of the field, or undefined. */
export function findContentIssue(content: string): string | undefined {
  if (content.length > MAX_NOTE_LENGTH) return `is longer than ${MAX_NOTE_LENGTH} characters; save it in parts`;
  return findTextIssue(content);
}

/** Truncates a text to at most `longest` units, whole characters only, with an ellipsis. */
export function truncateAt(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text
    .slice(0, longest - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`;
}
