import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Scopes } from '#kernel/auth/scopes.decorator.js';
import { TEXT_BODY_LIMITS, BodyLimit } from '#kernel/http/body-limit.decorator.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/handler-response.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import type { AmbiguousName } from '../identity/entity-resolver.service.js';
import { Note, NoteSearchResult, NoteList, SaveNoteResult } from './notes-response.dto.js';
import { NotesQuery, SaveNoteRequest, SearchNotesRequest } from './notes.dto.js';
import { type NotesListResponse, NotesListService } from './notes-list.service.js';
import { toNotesRequest, toSaveNoteInput, toNoteSearchQuery } from './notes-request.js';
import { type NoteSearchResponse, NotesSearchService } from './notes-search.service.js';
import { NotesService } from './notes.service.js';
import type { SaveNoteResponse, PresentedNote } from './notes.presenter.js';

/** Serves the endpoints of notes. */
@ApiTags('notes')
@Controller('v2/notes')
export class NotesController {
  constructor(
    private readonly notes: NotesService,
    private readonly lists: NotesListService,
    private readonly searches: NotesSearchService,
  ) {}

  /** Saves a note. */
  @Post()
  @BodyLimit(TEXT_BODY_LIMITS)
  @Operation({
    id: 'saveNote',
    summary: 'Save a note',
    description:
      'Attaches a meeting brief, transcript or note to the contact of `focus`, who is made if need be. Notes are never ' +
      'changed or removed. With an `external_id` a contact keeps one note per source; a repeat is answered 200 with ' +
      '`duplicate`, and what stands.',
    status: 201,
    existingDescription: 'The note that was saved before under the same `external_id`, or what a dry run would keep.',
    response: { type: SaveNoteResult, description: 'The note as it is kept.' },
    isIdempotent: true,
  })
  save(
    @CurrentCaller() { workspaceId }: Caller,
    @Body() body: SaveNoteRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<SaveNoteResponse>> {
    return this.notes.save(workspaceId, toSaveNoteInput(body), key);
  }

  /** Returns a page of notes, newest first. */
  @Get()
  @Operation({
    id: 'listNotes',
    summary: 'List notes',
    description:
      'Notes of one contact, of a company with those of its people, or of everybody, the newest first by their date. ' +
      'A name that several bear is answered with `status: "ambiguous"` and `candidates`.',
    response: { type: NoteList, description: 'A page of notes, with how each begins.' },
  })
  list(
    @CurrentCaller() { workspaceId }: Caller,
    @Query() query: NotesQuery,
  ): Promise<NotesListResponse | AmbiguousName> {
    return this.lists.list(workspaceId, toNotesRequest(query));
  }

  /** Returns a note with its full content. */
  @Get(':id')
  @Operation({
    id: 'getNote',
    summary: 'Read a note',
    description: 'One note with all that it says.',
    response: { type: Note, description: 'The note.' },
  })
  @ApiParam({ name: 'id', description: 'Id of the note.', schema: { type: 'string', format: 'uuid' } })
  read(@CurrentCaller() { workspaceId }: Caller, @Param('id') id: string): Promise<PresentedNote> {
    return this.lists.read(workspaceId, id);
  }

  /** Searches notes by words, sales concepts and, with an embedder, by meaning. */
  @Post('search')
  @Scopes('read')
  @Operation({
    id: 'searchNotes',
    summary: 'Search notes',
    description:
      'The notes that answer a question best, each with the passage that matches; read a whole note at ' +
      '`GET /v2/notes/:id` or with its account. `engine` says how: `lexical` compares words, concepts of sales talk and ' +
      'spellings, `hybrid` also the meaning that the embedder of this installation sees.',
    response: { type: NoteSearchResult, description: 'The documents, the closest first.' },
  })
  search(@CurrentCaller() { workspaceId }: Caller, @Body() body: SearchNotesRequest): Promise<NoteSearchResponse> {
    return this.searches.search(workspaceId, toNoteSearchQuery(body));
  }
}
