import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller, Scopes } from '#kernel/auth/caller.guard.js';
import { TEXT_BODY_LIMITS, BodyLimit } from '#kernel/http/json-parser.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import type { AmbiguousName } from '../identity/entity-resolver.service.js';
import { Note, NoteSearchResult, NoteList, SaveNoteResult } from './notes-response.dto.js';
import { NotesQuery, SaveNoteRequest, SearchNotesRequest } from './notes.dto.js';
import { type NotesListResponse, NotesListService } from './notes-list.service.js';
import { toNotesRequest, toSaveNoteInput, toNoteSearchQuery } from './notes-request.js';
import { type NoteSearchResponse, NotesSearchService } from './notes-search.service.js';
import { NotesService } from './notes.service.js';
import type { SaveNoteResponse, PresentedNote } from './notes.presenter.js';
import { AmbiguousNameDto } from '../identity/focus.dto.js';
import { toAuthoredSource } from '../observations/author.js';

/** Serves the endpoints of notes. */
@ApiTags('Notes')
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
      'Attaches a meeting brief, transcript or note to the contact in `focus`, which is created if it does ' +
      'not exist. Notes are append-only: they are never changed or deleted. With an `external_id`, a ' +
      'contact keeps one note per source; sending it again returns 200 with `duplicate: true` and the ' +
      'existing note. Returns 400 `focus_and_content_required`, `invalid_type` or `invalid_date` if a field ' +
      'is missing or wrong.',
    status: 201,
    existingDescription: 'The existing note with the same `external_id`, or the result of a dry run.',
    response: { type: SaveNoteResult, description: 'The saved note.' },
    isIdempotent: true,
  })
  save(
    @CurrentCaller() { workspaceId }: Caller,
    @Body() body: SaveNoteRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<SaveNoteResponse>> {
    const input = toSaveNoteInput(body);
    return this.notes.save(workspaceId, { ...input, source: toAuthoredSource(input.source) }, key);
  }

  /** Returns a page of notes, newest first. */
  @Get()
  @Operation({
    id: 'listNotes',
    summary: 'List notes',
    description:
      'Returns notes of one contact, of a company and its people, or of the whole workspace, newest first ' +
      'by their date. Each note is shortened to a preview; get the full text with `GET /v2/notes/{id}`. If ' +
      'a name matches more than one entity, the response has `status: "ambiguous"` and lists `candidates`.',
    response: {
      type: NoteList,
      alternatives: [AmbiguousNameDto],
      description: 'A page of note previews, or the candidates of an ambiguous name.',
    },
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
    summary: 'Get a note',
    description: 'Returns one note with its full content. Returns 404 `not_found` for an unknown ID.',
    response: { type: Note, description: 'The note.' },
  })
  @ApiParam({ name: 'id', description: 'Unique identifier of the note.', schema: { type: 'string', format: 'uuid' } })
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
      'Returns the notes that best answer a question, each with the matching passage. Get a full note with ' +
      '`GET /v2/notes/{id}`. `engine` shows how the search ranked: `lexical` compares words, sales concepts ' +
      'and spelling; `hybrid` also compares meaning with the configured embedding model. Returns 400 ' +
      '`question required` without a question. Nothing is written.',
    response: { type: NoteSearchResult, description: 'Matching notes, closest first.' },
  })
  search(@CurrentCaller() { workspaceId }: Caller, @Body() body: SearchNotesRequest): Promise<NoteSearchResponse> {
    return this.searches.search(workspaceId, toNoteSearchQuery(body));
  }
}
