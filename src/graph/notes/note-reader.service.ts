import { Injectable } from '@nestjs/common';
import { parseInstant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/errors.js';
import type { RecordCall } from '../observations/record-call.js';
import type { FromText } from '../open-text/from-text.js';
import { MAX_KEY, MAX_TEXT, type OpenTextRequest } from '../open-text/open-text-request.js';
import { OpenTextService, type Plan } from '../open-text/open-text.service.js';
import { dayOf, readDay } from './note-date.js';
import type { NoteToSave } from './note-to-save.js';

/** What was read in a note, and what became of it. */
export type Extracted = Pick<
  FromText,
  'recorded' | 'duplicates' | 'claims_recomputed' | 'observations' | 'needs_review' | 'rejected' | 'llm' | 'llm_detail'
>;

/** A note that was read, before anything is written. */
export interface ReadNote {
  readonly request: OpenTextRequest;
  readonly plan: Plan;
}

/** Reads notes as open text is read: by rules, and by the language model of the hub if one is set. */
@Injectable()
export class NoteReader {
  constructor(private readonly openText: OpenTextService) {}

  /**
   * Reads a note that is to be saved. Not to be called in a transaction. What it says held on the day of the note.
   * @throws HubError `invalid_request` for one that is too long to be read, `invalid_date`.
   */
  async read(workspace: string, wish: NoteToSave): Promise<ReadNote> {
    const { focus, content, source, externalId, dryRun } = wish;
    refuseTooLong('content', content, MAX_TEXT);
    refuseTooLong('external_id', externalId ?? '', MAX_KEY);
    const observedAt = heldAt(wish, Date.now() * 1_000);
    const request = { focus, text: content, note: undefined, observations: [], source, observedAt, externalId, dryRun };
    return { request, plan: await this.openText.plan(workspace, request) };
  }

  /** Records what was read, behind what else there is to record. */
  async write(tx: Tx, { request, plan }: ReadNote, before: readonly RecordCall[]): Promise<Extracted> {
    const { recorded, duplicates, claims_recomputed, observations, needs_review, rejected, llm, llm_detail } =
      await this.openText.write(tx, request, plan, before);
    const said = llm_detail === undefined ? {} : { llm_detail };
    return { recorded, duplicates, claims_recomputed, observations, needs_review, rejected, llm, ...said };
  }
}

/** A note about a day that is still to come says what is known now. */
function heldAt({ date }: NoteToSave, now: number): number | undefined {
  if (date === undefined) return undefined;
  const day = readDay(date, now);
  if (day === undefined) throw new HubError('invalid_date');
  return day < dayOf(now) ? parseInstant(day) : undefined;
}

function refuseTooLong(field: string, text: string, longest: number): void {
  if (text.length <= longest) return;
  const message = `${field} has at most ${longest} characters where a note is to be read; leave extract out, or split it.`;
  throw HubError.invalidRequest([{ field, message }]);
}
