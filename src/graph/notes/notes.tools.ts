import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { MAX_NOTE_LENGTH, NOTE_TYPES } from '#domain/notes/note.js';
import { toIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { APPENDS, READS_QUOTES } from '#kernel/mcp/tool-schema.js';
import { detail, trimToDetail } from '#kernel/mcp/output-budget.js';
import type { CoreToolContext } from '#kernel/mcp/call-context.js';
import { dryRunField, nonBlankText, storableText } from '#kernel/mcp/argument-problems.js';
import { MAX_QUESTION_LENGTH } from './notes.dto.js';
import { toSaveNoteInput, toNoteSearchQuery } from './notes-request.js';
import { type NoteSearchResponse, NotesSearchService } from './notes-search.service.js';
import { NotesService } from './notes.service.js';
import type { SaveNoteResponse } from './notes.presenter.js';

const saveInput = z.strictObject({
  focus: z.string().min(1).max(320).describe('E-mail, domain, LinkedIn URL or ID, never a name.'),
  content: z.string().min(1).max(MAX_NOTE_LENGTH).describe('Full text of the note.'),
  type: z.enum(NOTE_TYPES).optional().describe('Kind of document, default note.'),
  title: storableText(2000).optional().describe('Title, default the first words.'),
  date: z.string().max(100).optional().describe('ISO 8601 or words, default today.'),
  source: nonBlankText(100).optional().describe('Origin of it, default agent.'),
  external_id: nonBlankText(512).optional().describe('Deduplication key in source.'),
  participants: z.array(nonBlankText(320)).max(100).optional().describe('Names or addresses of attendees.'),
  extract: z.boolean().optional().describe('Also record facts it states.'),
  dry_run: dryRunField,
});

const saveOutput = z.looseObject({
  id: z.string(),
  entity_id: z.string(),
  date: z.string(),
  duplicate: z.boolean(),
});

const searchInput = z.strictObject({
  question: z.string().max(MAX_QUESTION_LENGTH).describe('Question in plain words.'),
  focus: z.string().max(2000).optional().describe('Contact or company, default all.'),
  limit: z.number().int().min(1).optional().describe('Passages, default 8, at most 20.'),
  detail,
});

const searchOutput = z.looseObject({
  documents: z.array(z.looseObject({ entity_id: z.string(), title: z.string(), snippet: z.string() })),
  count: z.number(),
});

/** Fields omitted with `detail: brief`: IDs that no other tool takes, and the scope of the search. */
const OMITTED_IN_BRIEF = ['documents.*.id', 'scope'];

/** Provides the tools of notes. */
@Injectable()
export class NotesTools {
  constructor(
    private readonly notes: NotesService,
    private readonly searches: NotesSearchService,
  ) {}

  /** Does the same as POST /v2/notes, without returning the content. */
  @McpTool({
    name: 'save_note',
    title: 'Save a note',
    description:
      'Saves a meeting brief, transcript or note on a contact, created if unknown. Find it with search_notes; for ' +
      'single facts use record. Returns id and duplicate.\n' +
      'Example: {"focus":"ada@acme.com","type":"transcript","content":"Ada: …","external_id":"call-8842"}',
    input: saveInput,
    output: saveOutput,
    scopes: ['write'],
    annotations: APPENDS,
  })
  async save(request: z.output<typeof saveInput>, { caller, idempotencyKey }: CoreToolContext) {
    const key = toIdempotencyKey(idempotencyKey, 'save_note', request);
    const { body } = await this.notes.save(caller.workspaceId, toSaveNoteInput(request), key);
    return withoutContent(body);
  }

  /** Returns the same as POST /v2/notes/search, trimmed to `detail`. */
  @McpTool({
    name: 'search_notes',
    title: 'Search notes',
    description:
      'Returns passages of notes, briefs and transcripts that answer a question, best first, with contact, source and ' +
      'date. For claims and events use query; for whole notes get_account.\n' +
      'Example: {"question":"who decides on the budget?","focus":"acme.com"}',
    input: searchInput,
    output: searchOutput,
    scopes: ['read'],
    annotations: READS_QUOTES,
    trim: ['documents'],
  })
  async search(
    { detail: level, ...request }: z.output<typeof searchInput>,
    { caller }: CoreToolContext,
  ): Promise<NoteSearchResponse> {
    return trimToDetail(
      await this.searches.search(caller.workspaceId, toNoteSearchQuery(request)),
      level,
      OMITTED_IN_BRIEF,
    );
  }
}

/** Omits the content, which the caller already has. */
function withoutContent({
  note: _note,
  doc_type: _type,
  ...saved
}: SaveNoteResponse): Omit<SaveNoteResponse, 'note' | 'doc_type'> {
  return saved;
}
