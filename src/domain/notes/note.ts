import { findTextIssue } from '#domain/observation/value-issue.js';

/** What a note can be. */
export const NOTE_TYPES = ['note', 'meeting_notes', 'meeting_brief', 'transcript', 'pre_meeting', 'research'] as const;

/** One of {@link NOTE_TYPES}. */
export type NoteType = (typeof NOTE_TYPES)[number];

/** Longest content in UTF-16 units: a transcript of three hours. */
export const MAX_NOTE_LENGTH = 200_000;

/** Longer titles are cut. */
export const MAX_NOTE_TITLE_LENGTH = 200;

const MAX_DERIVED_TITLE_LENGTH = 80;

/** Whether a text is one of the types. */
export function isNoteType(text: string): text is NoteType {
  return NOTE_TYPES.some(type => type === text);
}

/** The title of a note: the one that was given, cut at {@link MAX_NOTE_TITLE_LENGTH}, or else the beginning of its first line. */
export function deriveNoteTitle(given: string | undefined, content: string): string {
  const title = given?.replace(/\s+/g, ' ').trim();
  if (title) return truncateAt(title, MAX_NOTE_TITLE_LENGTH);
  const [line = ''] = content.trim().split('\n');
  return truncateAt(line.replace(/^[#>*\s-]+/, '').trim() || line.trim(), MAX_DERIVED_TITLE_LENGTH);
}

/** What is wrong with the content of a note, worded to follow the name of the field; undefined when nothing is. */
export function findContentIssue(content: string): string | undefined {
  if (content.length > MAX_NOTE_LENGTH) return `is longer than ${MAX_NOTE_LENGTH} characters; save it in parts`;
  return findTextIssue(content);
}

/** At most `longest` units, whole characters only, the last one an ellipsis where something was left out. */
export function truncateAt(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text
    .slice(0, longest - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`;
}
