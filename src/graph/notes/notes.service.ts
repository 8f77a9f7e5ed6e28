import { Injectable } from '@nestjs/common';
import { newId } from '#kernel/ids.js';
import { titleOf } from '#domain/notes/note.js';
import { passagesOf } from '#domain/notes/passages.js';
import type { PreciseFocus } from '#domain/identity/focus.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { Answered } from '#kernel/idempotency/answered.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { once } from '#kernel/idempotency/kept-answers.js';
import { perform } from '#kernel/db/rehearsal.js';
import { IdentityService, type ResolvedEntity } from '../identity/identity.service.js';
import { ObservationWriter } from '../observations/observation-writer.js';
import { employerStatement, type RecordCall } from '../observations/record-call.js';
import { dayOf, readDay } from './note-date.js';
import { NoteReader, type ReadNote } from './note-reader.service.js';
import { indexNote } from './index.queries.js';
import { findByExternalId, insertNote, type NewNote, type NoteRow } from './notes.queries.js';
import type { NoteToSave } from './note-to-save.js';
import { type SavedNote, showNote } from './shown-notes.js';

/** Attaches notes to contacts. A note is never changed or removed. */
@Injectable()
export class NotesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly identity: IdentityService,
    private readonly writer: ObservationWriter,
    private readonly reader: NoteReader,
  ) {}

  /**
   * Keeps a note on the contact of its focus, who is made if need be, and makes it findable: a search right after sees
   * it. With an `externalId` it is kept once per contact and source; a repeat is answered 200 with what stands. With
   * `extract` it is read as open text is, and what nothing speaks against is recorded in the same transaction.
   * @throws HubError `entity_not_found` for a UUID that nobody has, `invalid_date`, `idempotency_conflict`.
   */
  async save(workspace: string, wish: NoteToSave, key?: IdempotencyKey): Promise<Answered<SavedNote>> {
    const read = wish.extract ? await this.reader.read(workspace, wish) : undefined;
    return perform(this.work, workspace, wish.dryRun, tx =>
      wish.dryRun ? this.rehearse(tx, wish, read) : once(tx, key, () => this.saveIn(tx, wish, read)),
    );
  }

  private async rehearse(tx: Tx, wish: NoteToSave, read?: ReadNote): Promise<Answered<SavedNote>> {
    const { body } = await this.saveIn(tx, wish, read);
    return new Answered({ ...body, dry_run: true }, 200);
  }

  private async saveIn(tx: Tx, wish: NoteToSave, read?: ReadNote): Promise<Answered<SavedNote>> {
    const [now, [entity]] = await Promise.all([
      tx.now(),
      this.identity.resolveOrCreate(tx, [{ focus: wish.focus, alsoKnownAs: [] }]),
    ]);
    if (!entity) throw HubError.entityNotFound();
    const date = wish.date === undefined ? dayOf(now) : readDay(wish.date, now);
    if (date === undefined) throw new HubError('invalid_date');
    const passages = passagesOf(wish.content);
    const note = noteOf(wish, entity, date, passages.length);
    const createdAt = await insertNote(tx, note);
    if (createdAt === undefined) return this.standing(tx, note, entity, read);
    const employer = this.linkEmployer(tx, wish.focus, entity);
    if (!read && employer.length > 0) await this.writer.write(tx, employer);
    const extracted = read && (await this.reader.write(tx, read, employer));
    await indexNote(tx, note.id, note, passages);
    const kept = { ...note, entity_id: entity.canonicalId, created_at: createdAt };
    const { id: note_id, entity_id, type, title } = kept;
    tx.emit({ type: 'note.saved', payload: { note_id, entity_id, type, title } });
    return new Answered(answerOf(kept, { entity_created: entity.created, ...(extracted && { extracted }) }), 201);
  }

  /** The repeat of an external id: what was kept first stands, and is read again for what can be read in it by now. */
  private async standing(
    tx: Tx,
    note: NewNote,
    entity: ResolvedEntity,
    read: ReadNote | undefined,
  ): Promise<Answered<SavedNote>> {
    const known = (await findByExternalId(tx, note.entity_id, note))!;
    const same = known.content === note.content && known.type === note.type && known.title === note.title;
    const extracted = read && same ? await this.reader.write(tx, read, []) : undefined;
    const how = { duplicate: true, conflict: !same, entity_created: entity.created, ...(extracted && { extracted }) };
    return new Answered(answerOf(known, how), 200);
  }

  /** A contact who was met by a work address has an employer from then on, as if something had been recorded. */
  private linkEmployer(tx: Tx, focus: PreciseFocus, entity: ResolvedEntity): RecordCall[] {
    if (!entity.employer) return [];
    const companies = new Map([[entity.canonicalId, entity.employer.id]]);
    this.identity.keepChanges(tx, { names: new Map(), activity: new Map(), companies });
    const observations = [employerStatement(entity.employer.domain)];
    return [{ request: { focus, observations }, idempotencyKey: undefined }];
  }
}

function noteOf(wish: NoteToSave, entity: ResolvedEntity, date: string, passages: number): NewNote {
  const { content, type, source, participants } = wish;
  const title = titleOf(wish.title, content);
  const external_id = wish.externalId ?? null;
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

function answerOf(row: NoteRow, how: Partial<SavedNote>): SavedNote {
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
    note: showNote(row),
  };
}
