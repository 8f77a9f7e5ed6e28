import type { JsonValue } from './observation.js';

/** Shortens a text for a message: at most 80 characters, all printable in JSON and in a log. */
export function truncate(text: string): string {
  const short = text.length <= 80 ? text : `${text.slice(0, 79)}…`;
  const whole = short.toWellFormed();
  return whole.includes('\u0000') ? whole.replaceAll('\u0000', '\uFFFD') : whole;
}

/** Fields of an event that may describe it in words, the best first. */
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

/** Maximum length of a summary in UTF-16 units. */
export const MAX_SUMMARY_LENGTH = 400;

/** Returns the summary of a value: its first descriptive field, or the text that it is; null without one. */
export function summarizeValue(value: JsonValue): string | null {
  if (typeof value === 'string') return cleanText(value);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  for (const name of SUMMARY_FIELDS) {
    const text = value[name];
    if (typeof text === 'string' && text.trim() !== '') return cleanText(text);
  }
  return null;
}

/**
 * Formats a value as text on one line: texts unchanged, lists separated by commas, objects by their summary or as JSON.
 */
export function toPlainText(value: JsonValue, maxLength = MAX_SUMMARY_LENGTH): string {
  return toOneLine(valueToText(value), maxLength);
}

/** Puts a text on one line, truncated between characters at `maxLength` UTF-16 units, including the ellipsis. */
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
 * Quotes a text of others on one line. Inner quotation marks are replaced, so that readers, including models, see where
 * it begins and ends.
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
