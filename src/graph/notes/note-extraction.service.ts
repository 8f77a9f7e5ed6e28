import { Injectable } from '@nestjs/common';
import { parseInstant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { RecordCall } from '../observations/record-call.js';
import type { RecordTextResponse } from '../open-text/open-text.presenter.js';
import { MAX_EXTERNAL_ID_LENGTH, MAX_TEXT_LENGTH, type OpenTextRequest } from '../open-text/open-text-request.js';
import { OpenTextService, type ExtractionPlan } from '../open-text/open-text.service.js';
import { toDay, readDay, type SaveNoteInput } from './notes-request.js';

/** The extracted observations of a note, and which of them were recorded. */
export type ExtractedFacts = Pick<
  RecordTextResponse,
  'recorded' | 'duplicates' | 'claims_recomputed' | 'observations' | 'needs_review' | 'rejected' | 'llm' | 'llm_detail'
>;

/** The extraction from a note, before anything is written. */
export interface NoteExtraction {
  readonly request: OpenTextRequest;
  readonly plan: ExtractionPlan;
}

/** Extracts observations from notes like from open text: by rules, and by the configured language model if any. */
@Injectable()
export class NoteExtractionService {
  constructor(private readonly openText: OpenTextService) {}

  /**
   * Extracts observations from a note that will be saved, observed on the day of the note. Must not be called in a
   * transaction, because it may wait for the language model.
   * @throws HubError `invalid_request` if the note is too long, `invalid_date`.
   */
  async read(workspace: string, input: SaveNoteInput): Promise<NoteExtraction> {
    const { focus, content, source, externalId, dryRun } = input;
    rejectTooLong('content', content, MAX_TEXT_LENGTH);
    rejectTooLong('external_id', externalId ?? '', MAX_EXTERNAL_ID_LENGTH);
    const observedAt = toObservedAt(input, Date.now() * 1_000);
    const request = { focus, text: content, note: undefined, observations: [], source, observedAt, externalId, dryRun };
    return { request, plan: await this.openText.plan(workspace, request) };
  }

  /** Records the extracted observations. @param before record calls that are written first, in the same batch. */
  async write(tx: Tx, { request, plan }: NoteExtraction, before: readonly RecordCall[]): Promise<ExtractedFacts> {
    const { recorded, duplicates, claims_recomputed, observations, needs_review, rejected, llm, llm_detail } =
      await this.openText.write(tx, request, plan, before);
    const detail = llm_detail === undefined ? {} : { llm_detail };
    return { recorded, duplicates, claims_recomputed, observations, needs_review, rejected, llm, ...detail };
  }
}

/** Returns the start of the note's day, or undefined (now) for today and future days. */
function toObservedAt({ date }: SaveNoteInput, now: number): number | undefined {
  if (date === undefined) return undefined;
  const day = readDay(date, now);
  if (day === undefined) throw new HubError('invalid_date');
  return day < toDay(now) ? parseInstant(day) : undefined;
}

function rejectTooLong(field: string, text: string, maxLength: number): void {
  if (text.length <= maxLength) return;
  const message = `${field} must have at most ${maxLength} characters with extract; omit extract, or split the note.`;
  throw HubError.invalidRequest([{ field, message }]);
}
