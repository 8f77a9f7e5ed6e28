import { flawOfText } from '#domain/observation/json-check.js';

/** What a note can be. */
export const NOTE_TYPES = ['note', 'meeting_notes', 'meeting_brief', 'transcript', 'pre_meeting', 'research'] as const;

/** One of {@link NOTE_TYPES}. */
export type NoteType = (typeof NOTE_TYPES)[number];

/** Longest content in UTF-16 units: a transcript of three hours. */
export const MAX_CONTENT = 200_000;

/** Longer titles are cut. */
export const MAX_TITLE = 200;

const FIRST_LINE = 80;

/** Whether a text is one of the types. */
export function isNoteType(text: string): text is NoteType {
  return NOTE_TYPES.some(type => type === text);
}

/** The title of a note: the one that was given, cut at {@link MAX_TITLE}, or else the beginning of its first line. */
export function titleOf(given: string | undefined, content: string): string {
  const title = given?.replace(/\s+/g, ' ').trim();
  if (title) return cutAt(title, MAX_TITLE);
  const [line = ''] = content.trim().split('\n');
  return cutAt(line.replace(/^[#>*\s-]+/, '').trim() || line.trim(), FIRST_LINE);
}

/** What is wrong with the content of a note, worded to follow the name of the field; undefined when nothing is. */
export function flawOfContent(content: string): string | undefined {
  if (content.length > MAX_CONTENT) return `is longer than ${MAX_CONTENT} characters; save it in parts`;
  return flawOfText(content);
}

/** At most `longest` units, whole characters only, the last one an ellipsis where something was left out. */
export function cutAt(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text
    .slice(0, longest - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`;
}
