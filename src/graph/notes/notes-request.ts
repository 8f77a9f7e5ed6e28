import { findContentIssue, isNoteType, NOTE_TYPES } from '#domain/notes/note.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { MAX_QUESTION_LENGTH, type NotesQuery, type SaveNoteRequest, type SearchNotesRequest } from './notes.dto.js';
import type { NotesRequest } from './notes-list.service.js';
import type { NoteSearchQuery } from './notes-search.service.js';
import type { SaveNoteInput } from './save-note-input.js';
import { parsePreciseFocus } from '../observations/record-request.js';

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
