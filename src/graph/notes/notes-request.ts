import * as en from 'chrono-node/en';
import { type Instant, parseInstant, toIso } from '#domain/time/instant.js';
import type { PreciseFocus } from '#domain/identity/focus.js';
import { type NoteType, findContentIssue, isNoteType, NOTE_TYPES } from '#domain/notes/note.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { MAX_QUESTION_LENGTH, type NotesQuery, type SaveNoteRequest, type SearchNotesRequest } from './notes.dto.js';
import type { NotesRequest } from './notes-list.service.js';
import type { NoteSearchQuery } from './notes-search.service.js';
import { parsePreciseFocus } from '../observations/record-call.js';

/**
 * Parses the calendar day that a text names, as YYYY-MM-DD: an ISO 8601 date or time (the day as written), or words such
 * as `yesterday`, `last Tuesday`, `3 March` (day before month). Returns undefined if the text names no day, or more than
 * a day.
 * @param now reference time for relative words; days begin at midnight UTC.
 */
export function readDay(text: string, now: Instant): string | undefined {
  const plain = text.trim();
  if (parseInstant(plain) !== undefined) return plain.slice(0, 10);
  // An invalid ISO 8601 date is rejected, not reinterpreted: 2026-13-01 is not 13 January.
  if (/^\d{4}-\d/.test(plain)) return undefined;
  const reference = { instant: new Date(now / 1000), timezone: 0 };
  const [found, ...more] = en.GB.parse(plain, reference);
  if (!found || more.length > 0 || found.end || !matchesWholeText(plain, found.text)) return undefined;
  const [year, month, day] = (['year', 'month', 'day'] as const).map(part => found.start.get(part));
  const iso = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
  return parseInstant(iso) === undefined ? undefined : iso;
}

/** Returns the UTC calendar day of `now` as YYYY-MM-DD. */
export function toDay(now: Instant): string {
  return toIso(now).slice(0, 10);
}

function matchesWholeText(text: string, found: string): boolean {
  return text.toLowerCase().replace(/^on\s+/, '') === found.toLowerCase().replace(/^on\s+/, '');
}

function twoDigits(value: number | null | undefined): string {
  return String(value ?? 0).padStart(2, '0');
}

/** A validated request to save a note. */
export interface SaveNoteInput {
  readonly focus: PreciseFocus;
  readonly content: string;
  readonly type: NoteType;
  readonly title: string | undefined;
  /** ISO 8601 or words such as `yesterday`; undefined means today (UTC). */
  readonly date: string | undefined;
  readonly source: string;
  readonly externalId: string | undefined;
  readonly participants: readonly string[];
  /** Also extracts and records observations from the note. */
  readonly extract: boolean;
  /** Returns what would be saved without writing it. */
  readonly dryRun: boolean;
}

/** Default and maximum number of notes on a page. */
export const DEFAULT_NOTES_LIMIT = 20;
export const MAX_NOTES_LIMIT = 100;

/** Default and maximum number of documents of a search. */
export const DEFAULT_SEARCH_LIMIT = 8;
export const MAX_SEARCH_LIMIT = 20;

/**
 * Validates the body of a request to save a note.
 * @throws HubError `focus_and_content_required`, `invalid_focus`, `invalid_type`, `invalid_request`.
 */
export function toSaveNoteInput(body: SaveNoteRequest): SaveNoteInput {
  const { focus, content, type = 'note', title, date, source = 'agent', external_id: externalId } = body;
  if (isBlank(focus) || isBlank(content)) throw new HubError('focus_and_content_required');
  if (!isNoteType(type)) throw HubError.invalidType(NOTE_TYPES);
  const issue = findContentIssue(content);
  if (issue) throw HubError.invalidRequest([{ field: 'content', message: `content ${issue}.` }]);
  return {
    focus: parsePreciseFocus(focus),
    content,
    type,
    title,
    date,
    source,
    externalId,
    participants: body.participants ?? [],
    extract: body.extract ?? false,
    dryRun: body.dry_run ?? false,
  };
}

/** Validates the body of a search. @throws HubError `question required`, `invalid_request`. */
export function toNoteSearchQuery({
  question,
  focus,
  limit = DEFAULT_SEARCH_LIMIT,
}: SearchNotesRequest): NoteSearchQuery {
  if (typeof question !== 'string' || isBlank(question)) throw new HubError('question required');
  if (question.length > MAX_QUESTION_LENGTH) {
    const message = `question is longer than ${MAX_QUESTION_LENGTH} characters; ask for one thing at a time.`;
    throw HubError.invalidRequest([{ field: 'question', message }]);
  }
  return { question, focus: isBlank(focus) ? undefined : focus, limit: Math.min(limit, MAX_SEARCH_LIMIT) };
}

/** Validates the query parameters of a list of notes. @throws HubError `invalid_type`. */
export function toNotesRequest({ focus, type, limit, offset, cursor }: NotesQuery): NotesRequest {
  if (type !== undefined && !isNoteType(type)) throw HubError.invalidType(NOTE_TYPES);
  return { focus, type, limit: Math.min(limit ?? DEFAULT_NOTES_LIMIT, MAX_NOTES_LIMIT), offset: offset ?? 0, cursor };
}

function isBlank(text: string | undefined): text is undefined {
  return text === undefined || text.trim() === '';
}
