import { Injectable } from '@nestjs/common';
import { parseInstant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { RecordCall } from '../observations/record-call.js';
import type { RecordTextResponse } from '../open-text/open-text.presenter.js';
import { MAX_EXTERNAL_ID_LENGTH, MAX_TEXT_LENGTH, type OpenTextRequest } from '../open-text/open-text-request.js';
import { OpenTextService, type ExtractionPlan } from '../open-text/open-text.service.js';
import { toDay, readDay } from './note-date.js';
import type { SaveNoteInput } from './save-note-input.js';

/** What was read in a note, and what became of it. */
export type ExtractedFacts = Pick<
  RecordTextResponse,
  'recorded' | 'duplicates' | 'claims_recomputed' | 'observations' | 'needs_review' | 'rejected' | 'llm' | 'llm_detail'
>;

/** A note that was read, before anything is written. */
export interface NoteExtraction {
  readonly request: OpenTextRequest;
  readonly plan: ExtractionPlan;
}

/** Reads notes as open text is read: by rules, and by the language model of the hub if one is set. */
@Injectable()
export class NoteExtractionService {
  constructor(private readonly openText: OpenTextService) {}

  /**
   * Reads a note that is to be saved. Not to be called in a transaction. What it says held on the day of the note.
   * @throws HubError `invalid_request` for one that is too long to be read, `invalid_date`.
   */
  async read(workspace: string, input: SaveNoteInput): Promise<NoteExtraction> {
    const { focus, content, source, externalId, dryRun } = input;
    rejectTooLong('content', content, MAX_TEXT_LENGTH);
    rejectTooLong('external_id', externalId ?? '', MAX_EXTERNAL_ID_LENGTH);
    const observedAt = toObservedAt(input, Date.now() * 1_000);
    const request = { focus, text: content, note: undefined, observations: [], source, observedAt, externalId, dryRun };
    return { request, plan: await this.openText.plan(workspace, request) };
  }

  /** Records what was read, behind what else there is to record. */
  async write(tx: Tx, { request, plan }: NoteExtraction, before: readonly RecordCall[]): Promise<ExtractedFacts> {
    const { recorded, duplicates, claims_recomputed, observations, needs_review, rejected, llm, llm_detail } =
      await this.openText.write(tx, request, plan, before);
    const said = llm_detail === undefined ? {} : { llm_detail };
    return { recorded, duplicates, claims_recomputed, observations, needs_review, rejected, llm, ...said };
  }
}

/** A note about a day that is still to come says what is known now. */
function toObservedAt({ date }: SaveNoteInput, now: number): number | undefined {
  if (date === undefined) return undefined;
  const day = readDay(date, now);
  if (day === undefined) throw new HubError('invalid_date');
  return day < toDay(now) ? parseInstant(day) : undefined;
}

function rejectTooLong(field: string, text: string, longest: number): void {
  if (text.length <= longest) return;
  const message = `${field} has at most ${longest} characters where a note is to be read; leave extract out, or split it.`;
  throw HubError.invalidRequest([{ field, message }]);
}
