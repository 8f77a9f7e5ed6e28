import type { Json } from './observation.js';

/** Where the details of an event may say in words what it was, the best place first. */
const TOLD = ['summary', 'description', 'text', 'body', 'snippet', 'subject', 'title', 'message', 'content'] as const;

/** Longest summary, in UTF-16 units. */
export const MAX_SUMMARY = 400;

/** What an observation says in words: the first text among its details, or the text that it is; null for none. */
export function summaryOf(value: Json): string | null {
  if (typeof value === 'string') return tidied(value);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  for (const name of TOLD) {
    const text = value[name];
    if (typeof text === 'string' && text.trim() !== '') return tidied(text);
  }
  return null;
}

/** A value as people read it, on one line: texts as they are, lists by commas, objects by their words or as JSON. */
export function inWords(value: Json, longest = MAX_SUMMARY): string {
  return oneLine(worded(value), longest);
}

/** A text on one line, cut between characters at `longest` UTF-16 units, the ellipsis among them. */
export function oneLine(text: string, longest = MAX_SUMMARY): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= longest
    ? line
    : `${line
        .slice(0, longest - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

/**
 * Words that others wrote, as a quotation on one line: whoever reads them, a model too, sees where they begin and end,
 * because no quotation mark is left within.
 */
export function quoted(text: string, longest = MAX_SUMMARY): string {
  return `"${oneLine(text.replace(/["“”„«»]/g, "'"), longest)}"`;
}

function worded(value: Json): string {
  if (value === null) return 'none';
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(worded).join(', ');
  return summaryOf(value) ?? JSON.stringify(value);
}

function tidied(text: string): string | null {
  const line = oneLine(text);
  return line === '' ? null : line;
}
