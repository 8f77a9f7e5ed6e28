import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { McpTool } from '#sdk/decorators.js';
import { MAX_NOTE_LENGTH, NOTE_TYPES } from '#domain/notes/note.js';
import { toIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { APPENDS, READS_QUOTES } from '#kernel/mcp/annotations.js';
import { detail, trimToDetail } from '#kernel/mcp/detail.js';
import type { CoreToolContext } from '#kernel/mcp/tool-context.js';
import { nonBlankText, storableText } from '#kernel/mcp/tool-fields.js';
import { MAX_QUESTION_LENGTH } from './notes.dto.js';
import { toSaveNoteInput, toNoteSearchQuery } from './notes-request.js';
import { type NoteSearchResponse, NotesSearchService } from './notes-search.service.js';
import { NotesService } from './notes.service.js';
import type { SaveNoteResponse } from './notes.presenter.js';

const saveInput = z.strictObject({
  focus: z.string().min(1).max(320).describe('e-mail, domain, LinkedIn URL or entity id; never a bare name'),
  content: z.string().min(1).max(MAX_NOTE_LENGTH),
  type: z.enum(NOTE_TYPES).optional(),
  title: storableText(2000).optional(),
  date: z.string().max(100).optional().describe('ISO 8601 or plain words; default today'),
  source: nonBlankText(100).optional().describe('default agent'),
  external_id: nonBlankText(512).optional().describe('saved once per key'),
  participants: z.array(nonBlankText(320)).max(100).optional(),
  extract: z.boolean().optional(),
  dry_run: z.boolean().optional(),
});

const saveOutput = z.looseObject({
  id: z.string(),
  entity_id: z.string(),
  date: z.string(),
  duplicate: z.boolean(),
  conflict: z.boolean(),
});

const searchInput = z.strictObject({
  question: z.string().min(1).max(MAX_QUESTION_LENGTH),
  focus: z.string().max(2000).optional().describe('whose notes; default everybody’s'),
  limit: z.number().int().min(1).optional().describe('default 8, at most 20'),
  detail,
});

const searchOutput = z.looseObject({
  documents: z.array(z.looseObject({ entity_id: z.string(), title: z.string(), snippet: z.string() })),
  count: z.number(),
  engine: z.string(),
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
      'Keeps a meeting brief, transcript or note on a contact (made if need be), whole, dated and findable by ' +
      'search_notes; with extract its facts are recorded too. For facts use record.\n' +
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
      'Passages of notes, briefs and transcripts that answer a question, the closest first, each with contact, source ' +
      'and date. Whole notes come with get_account; for what happened or is claimed use query.\n' +
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
