import { Injectable } from '@nestjs/common';
import { newId } from '#kernel/ids.js';
import { deriveNoteTitle } from '#domain/notes/note.js';
import { splitPassages } from '#domain/notes/passages.js';
import type { PreciseFocus } from '#domain/identity/focus.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/handler-response.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { runOnce } from '#kernel/idempotency/idempotency-store.js';
import { runMaybeDry } from '#kernel/db/dry-run.js';
import { IdentityService, type ResolvedEntity } from '../identity/identity.service.js';
import { RecordBatchWriter } from '../observations/record-batch.writer.js';
import { buildEmployerStatement, type RecordCall } from '../observations/record-call.js';
import { toDay, readDay } from './note-date.js';
import { NoteExtractionService, type NoteExtraction } from './note-extraction.service.js';
import { indexNote } from './note-index.queries.js';
import { findNoteByExternalId, insertNote, type NewNote, type NoteRow } from './notes.queries.js';
import type { SaveNoteInput } from './save-note-input.js';
import { type SaveNoteResponse, presentNote } from './notes.presenter.js';

/** Attaches notes to contacts. A note is never changed or removed. */
@Injectable()
export class NotesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly identity: IdentityService,
    private readonly writer: RecordBatchWriter,
    private readonly extraction: NoteExtractionService,
  ) {}

  /**
   * Keeps a note on the contact of its focus, who is made if need be, and makes it findable: a search right after sees
   * it. With an `externalId` it is kept once per contact and source; a repeat is answered 200 with what stands. With
   * `extract` it is read as open text is, and what nothing speaks against is recorded in the same transaction.
   * @throws HubError `entity_not_found` for a UUID that nobody has, `invalid_date`, `idempotency_conflict`.
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
    if (!entity) throw HubError.entityNotFound();
    const date = input.date === undefined ? toDay(now) : readDay(input.date, now);
    if (date === undefined) throw new HubError('invalid_date');
    const passages = splitPassages(input.content);
    const note = toNewNote(input, entity, date, passages.length);
    const createdAt = await insertNote(tx, note);
    if (createdAt === undefined) return this.presentExisting(tx, note, entity, extraction);
    const employer = this.linkEmployer(tx, input.focus, entity);
    if (!extraction && employer.length > 0) await this.writer.write(tx, employer);
    const extracted = extraction && (await this.extraction.write(tx, extraction, employer));
    await indexNote(tx, note.id, note, passages);
    const kept = { ...note, entity_id: entity.canonicalId, created_at: createdAt };
    const { id: note_id, entity_id, type, title } = kept;
    tx.emit({ type: 'note.saved', payload: { note_id, entity_id, type, title } });
    return new HandlerResponse(
      toSaveNoteResponse(kept, { entity_created: entity.created, ...(extracted && { extracted }) }),
      201,
    );
  }

  /** The repeat of an external id: what was kept first stands, and is read again for what can be read in it by now. */
  private async presentExisting(
    tx: Tx,
    note: NewNote,
    entity: ResolvedEntity,
    extraction: NoteExtraction | undefined,
  ): Promise<HandlerResponse<SaveNoteResponse>> {
    const known = (await findNoteByExternalId(tx, note.entity_id, note))!;
    const same = known.content === note.content && known.type === note.type && known.title === note.title;
    const extracted = extraction && same ? await this.extraction.write(tx, extraction, []) : undefined;
    const how = { duplicate: true, conflict: !same, entity_created: entity.created, ...(extracted && { extracted }) };
    return new HandlerResponse(toSaveNoteResponse(known, how), 200);
  }

  /** A contact who was met by a work address has an employer from then on, as if something had been recorded. */
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

function toSaveNoteResponse(row: NoteRow, how: Partial<SaveNoteResponse>): SaveNoteResponse {
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
    ...how,
    note: presentNote(row),
  };
}
