import type { JsonValue } from './observation.js';

/** Where the details of an event may say in words what it was, the best place first. */
const SUMMARY_FIELDS = [
  'summary',
  'description',
  'text',
  'body',
  'snippet',
  'subject',
  'title',
  'message',
  'content',
] as const;

/** Longest summary, in UTF-16 units. */
export const MAX_SUMMARY_LENGTH = 400;

/** What an observation says in words: the first text among its details, or the text that it is; null for none. */
export function summarizeValue(value: JsonValue): string | null {
  if (typeof value === 'string') return cleanText(value);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  for (const name of SUMMARY_FIELDS) {
    const text = value[name];
    if (typeof text === 'string' && text.trim() !== '') return cleanText(text);
  }
  return null;
}

/** A value as people read it, on one line: texts as they are, lists by commas, objects by their words or as JSON. */
export function toPlainText(value: JsonValue, maxLength = MAX_SUMMARY_LENGTH): string {
  return toOneLine(valueToText(value), maxLength);
}

/** A text on one line, cut between characters at `longest` UTF-16 units, the ellipsis among them. */
export function toOneLine(text: string, maxLength = MAX_SUMMARY_LENGTH): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= maxLength
    ? line
    : `${line
        .slice(0, maxLength - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

/**
 * Words that others wrote, as a quotation on one line: whoever reads them, a model too, sees where they begin and end,
 * because no quotation mark is left within.
 */
export function quoteText(text: string, maxLength = MAX_SUMMARY_LENGTH): string {
  return `"${toOneLine(text.replace(/["“”„«»]/g, "'"), maxLength)}"`;
}

function valueToText(value: JsonValue): string {
  if (value === null) return 'none';
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(valueToText).join(', ');
  return summarizeValue(value) ?? JSON.stringify(value);
}

function cleanText(text: string): string | null {
  const line = toOneLine(text);
  return line === '' ? null : line;
}
