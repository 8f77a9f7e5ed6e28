import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { NoteType } from '#domain/notes/note.js';
import { parseInstant } from '#domain/time/instant.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { type AmbiguousName, EntityResolverService } from '../identity/entity-resolver.service.js';
import { readNoteHolderIds, readNotes, type NotePageKey, readNote } from './notes-list.queries.js';
import { type NotePreview, presentPreview, type PresentedNote, presentNote } from './notes.presenter.js';

/** Which notes are wanted. */
export interface NotesRequest {
  readonly focus: string | undefined;
  readonly type: NoteType | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly cursor: string | undefined;
}

/** A page of notes. */
export interface NotesListResponse {
  readonly notes: readonly NotePreview[];
  /** How many are on this page. */
  readonly count: number;
  readonly limit: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** Characters of a note that lists show. */
const MAX_PREVIEW_LENGTH = 280;

/** Lists notes, and reads one whole. */
@Injectable()
export class NotesListService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entities: EntityResolverService,
  ) {}

  /**
   * Notes of one contact (of a company also those of its people) or of everybody, the newest first.
   * @throws HubError `entity_not_found`, `invalid_focus`, `cursor_mismatch`.
   */
  list(workspace: string, request: NotesRequest): Promise<NotesListResponse | AmbiguousName> {
    const { focus, type, limit, offset, cursor } = request;
    const place = `${focus ?? ''} ${type ?? ''}`;
    const after = cursor === undefined ? undefined : decodeCursor(cursor, place);
    return this.work.run(workspace, async tx => {
      const found = focus === undefined ? undefined : await this.entities.resolve(tx, focus);
      if (typeof found === 'object') return found;
      const entityIds = found === undefined ? undefined : await readNoteHolderIds(tx, [found]);
      const rows = await readNotes(tx, { entityIds, type, after, offset, limit: limit + 1 });
      const notes = rows.slice(0, limit).map(row => presentPreview(row, MAX_PREVIEW_LENGTH));
      const last = rows.length > limit ? notes.at(-1) : undefined;
      const next_cursor = last ? encodeCursor(last, place) : null;
      return { notes, count: notes.length, limit, has_more: last !== undefined, next_cursor };
    });
  }

  /** One note with all that it says. @throws HubError `not_found`. */
  read(workspace: string, id: string): Promise<PresentedNote> {
    return this.work.run(workspace, async tx => {
      const note = isUuid(id) ? await readNote(tx, id) : undefined;
      if (note) return presentNote(note);
      throw new HubError('not_found', { detail: 'No note of this workspace has this id.' });
    });
  }
}

/** @param list which list it is a place in. */
function encodeCursor({ date, id }: NotePageKey, list: string): string {
  return Buffer.from(JSON.stringify([list, date, id])).toString('base64url');
}

function decodeCursor(cursor: string, list: string): NotePageKey {
  const [owner, date, id] = parseParts(cursor);
  const known = date !== undefined && parseInstant(date) !== undefined && id !== undefined && isUuid(id);
  if (owner !== list || !known) throw new HubError('cursor_mismatch');
  return { date: date.slice(0, 10), id };
}

function parseParts(cursor: string): string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts.filter(part => typeof part === 'string') : [];
  } catch {
    return [];
  }
}
