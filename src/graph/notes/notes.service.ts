import { Injectable } from '@nestjs/common';
import { newId } from '#kernel/ids.js';
import { deriveNoteTitle } from '#domain/notes/note.js';
import { findPassageSpans } from '#domain/notes/passages.js';
import type { PreciseFocus } from '#domain/identity/focus.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork, runMaybeDry } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import { IdentityService, type ResolvedEntity } from '../identity/identity.service.js';
import { RecordBatchWriter } from '../observations/record-batch.writer.js';
import { buildEmployerStatement, type RecordCall } from '../observations/record-call.js';
import { toDay, readDay, type SaveNoteInput } from './notes-request.js';
import { NoteExtractionService, type NoteExtraction } from './note-extraction.service.js';
import { indexNote } from './note-index.queries.js';
import { findNoteByExternalId, insertNote, type NewNote, type NoteRow } from './notes.queries.js';
import { type SaveNoteResponse, presentNote } from './notes.presenter.js';

/** Stored bytes of a note for each character: its compressed text (0.8), and the index, which stays below 5. */
const NOTE_BYTES_PER_CHARACTER = 6;

/** Saves notes on entities. Notes are append-only. */
@Injectable()
export class NotesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly identity: IdentityService,
    private readonly writer: RecordBatchWriter,
    private readonly extraction: NoteExtractionService,
  ) {}

  /**
   * Saves a note on the entity of its focus, which is created if it is unknown, and indexes it in the same transaction.
   * With an `externalId` it is saved once per entity and source; a repeat returns 200 with the stored note. With
   * `extract`, observations are extracted as from open text, and those that need no review are recorded in the same
   * transaction.
   * @throws HubError `entity_not_found` for an unknown UUID, `entity_erased` or `identifier_erased` for an erased person,
   *   `invalid_date`, `idempotency_conflict`.
   */
  async save(
    workspace: string,
    input: SaveNoteInput,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<SaveNoteResponse>> {
    const extraction = input.extract ? await this.extraction.read(workspace, input) : undefined;
    return runMaybeDry(this.work, workspace, input.dryRun, tx =>
      input.dryRun
        ? this.saveDryRun(tx, input, extraction)
        : runOnce(tx, key, () => this.saveInTransaction(tx, input, extraction)),
    );
  }

  private async saveDryRun(
    tx: Tx,
    input: SaveNoteInput,
    extraction?: NoteExtraction,
  ): Promise<HandlerResponse<SaveNoteResponse>> {
    const { body } = await this.saveInTransaction(tx, input, extraction);
    return new HandlerResponse({ ...body, dry_run: true }, 200);
  }

  private async saveInTransaction(
    tx: Tx,
    input: SaveNoteInput,
    extraction?: NoteExtraction,
  ): Promise<HandlerResponse<SaveNoteResponse>> {
    const [now, [entity]] = await Promise.all([
      tx.now(),
      this.identity.resolveOrCreate(tx, [{ focus: input.focus, alsoKnownAs: [] }]),
    ]);
    if (!entity || entity instanceof HubError) throw entity ?? HubError.entityNotFound();
    const date = input.date === undefined ? toDay(now) : readDay(input.date, now);
    if (date === undefined) throw new HubError('invalid_date');
    const passages = findPassageSpans(input.content);
    const note = toNewNote(input, entity, date, passages.length);
    const createdAt = await insertNote(tx, note);
    if (createdAt === undefined) return this.presentExisting(tx, note, entity, extraction);
    tx.countUsage('notes', 1);
    tx.countUsage('bytes', NOTE_BYTES_PER_CHARACTER * note.content.length);
    const employer = this.linkEmployer(tx, input.focus, entity);
    if (!extraction && employer.length > 0) await this.writer.write(tx, employer);
    const extracted = extraction && (await this.extraction.write(tx, extraction, employer));
    await indexNote(tx, note.id, note, passages);
    const row = { ...note, entity_id: entity.canonicalId, created_at: createdAt };
    const { id: note_id, entity_id, type, title } = row;
    tx.emit({ type: 'note.saved', payload: { note_id, entity_id, type, title } });
    return new HandlerResponse(
      toSaveNoteResponse(row, { entity_created: entity.created, ...(extracted && { extracted }) }),
      201,
    );
  }

  /** Responds to a repeated external ID: the first note is unchanged; if it is the same, extraction runs again. */
  private async presentExisting(
    tx: Tx,
    note: NewNote,
    entity: ResolvedEntity,
    extraction: NoteExtraction | undefined,
  ): Promise<HandlerResponse<SaveNoteResponse>> {
    const stored = (await findNoteByExternalId(tx, note.entity_id, note))!;
    const isSame = stored.content === note.content && stored.type === note.type && stored.title === note.title;
    const extracted = extraction && isSame ? await this.extraction.write(tx, extraction, []) : undefined;
    const flags = { duplicate: true, conflict: !isSame, entity_created: entity.created };
    return new HandlerResponse(toSaveNoteResponse(stored, { ...flags, ...(extracted && { extracted }) }), 200);
  }

  /** Links a person who was created by a work address to the company of its domain, as recording does. */
  private linkEmployer(tx: Tx, focus: PreciseFocus, entity: ResolvedEntity): RecordCall[] {
    if (!entity.employer) return [];
    const companies = new Map([[entity.canonicalId, entity.employer.id]]);
    this.identity.updateEntities(tx, { names: new Map(), activity: new Map(), companies });
    const observations = [buildEmployerStatement(entity.employer.domain)];
    return [{ request: { focus, observations }, idempotencyKey: undefined }];
  }
}

function toNewNote(input: SaveNoteInput, entity: ResolvedEntity, date: string, passages: number): NewNote {
  const { content, type, source, participants } = input;
  const title = deriveNoteTitle(input.title, content);
  const external_id = input.externalId ?? null;
  return {
    id: newId(),
    entity_id: entity.id,
    type,
    title,
    date,
    content,
    source,
    external_id,
    participants,
    passages,
  };
}

function toSaveNoteResponse(row: NoteRow, overrides: Partial<SaveNoteResponse>): SaveNoteResponse {
  const { id, entity_id, type, title, date, passages } = row;
  return {
    id,
    entity_id,
    type,
    doc_type: type,
    title,
    date,
    chunks: passages,
    duplicate: false,
    conflict: false,
    entity_created: false,
    ...overrides,
    note: presentNote(row),
  };
}
