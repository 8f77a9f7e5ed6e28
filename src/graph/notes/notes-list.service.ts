import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { NoteType } from '#domain/notes/note.js';
import { parseInstant } from '#domain/time/instant.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { type AmbiguousName, EntityResolverService } from '../identity/entity-resolver.service.js';
import { readNoteHolderIds, readNotes, type NotePageKey, readNote } from './notes-list.queries.js';
import { type NotePreview, presentPreview, type PresentedNote, presentNote } from './notes.presenter.js';

/** A validated request to list notes. */
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
  /** Number of notes on this page. */
  readonly count: number;
  readonly limit: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** Maximum length of a note's preview in lists, in characters. */
const MAX_PREVIEW_LENGTH = 280;

/** Lists notes and reads single notes. */
@Injectable()
export class NotesListService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entities: EntityResolverService,
  ) {}

  /**
   * Lists the notes of one entity, including those of a company's people, or of all entities, newest first.
   * @throws HubError `entity_not_found`, `invalid_focus`, `cursor_mismatch`.
   */
  list(workspace: string, request: NotesRequest): Promise<NotesListResponse | AmbiguousName> {
    const { focus, type, limit, offset, cursor } = request;
    const listKey = `${focus ?? ''} ${type ?? ''}`;
    const after = cursor === undefined ? undefined : decodeCursor(cursor, listKey);
    return this.work.run(workspace, async tx => {
      const found = focus === undefined ? undefined : await this.entities.resolve(tx, focus);
      if (typeof found === 'object') return found;
      const entityIds = found === undefined ? undefined : await readNoteHolderIds(tx, [found]);
      const rows = await readNotes(tx, { entityIds, type, after, offset, limit: limit + 1 });
      const notes = rows.slice(0, limit).map(row => presentPreview(row, MAX_PREVIEW_LENGTH));
      const last = rows.length > limit ? notes.at(-1) : undefined;
      const next_cursor = last ? encodeCursor(last, listKey) : null;
      return { notes, count: notes.length, limit, has_more: last !== undefined, next_cursor };
    });
  }

  /** Reads a note with its full content. @throws HubError `not_found`. */
  read(workspace: string, id: string): Promise<PresentedNote> {
    return this.work.run(workspace, async tx => {
      const note = isUuid(id) ? await readNote(tx, id) : undefined;
      if (note) return presentNote(note);
      throw new HubError('not_found', { detail: 'No note of this workspace has this id.' });
    });
  }
}

/** Encodes a page key as an opaque cursor. @param listKey identifies the list that the cursor belongs to. */
function encodeCursor({ date, id }: NotePageKey, listKey: string): string {
  return Buffer.from(JSON.stringify([listKey, date, id])).toString('base64url');
}

function decodeCursor(cursor: string, listKey: string): NotePageKey {
  const [cursorKey, date, id] = parseParts(cursor);
  const isValid = date !== undefined && parseInstant(date) !== undefined && id !== undefined && isUuid(id);
  if (cursorKey !== listKey || !isValid) throw new HubError('cursor_mismatch');
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
