import { Injectable } from '@nestjs/common';
import { touchedProperties } from '#domain/claims/from-events.js';
import { reliabilityOf } from '#domain/claims/trust.js';
import { DOUBTS } from '#domain/extract/extraction.js';
import { type Agreed, mergeDoors } from '#domain/extract/merge-doors.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { Answered } from '#kernel/idempotency/answered.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { once, standingOf } from '#kernel/idempotency/kept-answers.js';
import { ClaimsService } from '../claims/claims.service.js';
import { ObservationWriter } from '../observations/observation-writer.js';
import type { RecordCall } from '../observations/record-call.js';
import type { Recorded } from '../observations/recorded.js';
import { DoorsService, type LlmReading, type Reading } from './doors.service.js';
import type { FromText, NeedsReview, ReadInText, RecordedFromText } from './from-text.js';
import { keyed } from './keyed.js';
import type { OpenTextRequest, OpenTextWish } from './open-text-request.js';
import { readRecorded } from './subject.queries.js';
import { type Subject, SubjectService } from './subject.service.js';

/** What shall be written, and what shall not. */
export interface Plan {
  readonly subject: Subject;
  readonly agreed: readonly Agreed[];
  readonly review: readonly NeedsReview[];
  readonly llm: LlmReading;
}

/** Records what an open text says: the text as an event, and of what is read in it all that nothing speaks against. */
@Injectable()
export class OpenTextService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly subjects: SubjectService,
    private readonly doors: DoorsService,
    private readonly claims: ClaimsService,
    private readonly writer: ObservationWriter,
  ) {}

  /**
   * Reads in a transaction of its own, asks the model in none, and writes in another. A model that is away changes
   * what is read, and never whether the text is kept.
   * @throws HubError `entity_not_found` for a UUID that nobody has, `invalid_focus` where there is no focus and the text
   * does not name one person, `idempotency_conflict`.
   */
  async record(workspace: string, wish: OpenTextWish, key?: IdempotencyKey): Promise<Answered<FromText>> {
    const known = key && !wish.dryRun ? await this.answered(workspace, key) : undefined;
    if (known) return known;
    const request = { ...wish, focus: wish.focus ?? this.subjects.namedIn(workspace, wish.text ?? '') };
    const plan = await this.plan(workspace, request);
    if (request.dryRun) return new Answered(rehearsed(request, plan), 200);
    return this.work.run(workspace, tx =>
      once(tx, key, async () => {
        const written = await this.write(tx, request, plan);
        if (written.entity_id === null) throw HubError.entityNotFound();
        return new Answered(written, 200);
      }),
    );
  }

  /** Reads a text, with the model outside of any transaction. @throws HubError `entity_not_found` for an unknown UUID. */
  async plan(workspace: string, request: OpenTextRequest): Promise<Plan> {
    const { focus, source, observedAt } = request;
    const subject = await this.work.run(workspace, tx => this.subjects.of(tx, focus, source, observedAt));
    return this.planOf(workspace, request, subject);
  }

  /** A repeat shall not ask the model again. */
  private async answered(workspace: string, key: IdempotencyKey): Promise<Answered<FromText> | undefined> {
    const [standing] = await this.work.run(workspace, tx => standingOf(tx, [key]));
    if (standing instanceof HubError) throw standing;
    return standing instanceof Answered ? (standing as Answered<FromText>) : undefined;
  }

  private async planOf(workspace: string, request: OpenTextRequest, subject: Subject): Promise<Plan> {
    const byAgent = await this.doors.byAgent(request.observations, request.text);
    const byRules = await this.doors.byRules(request, subject.context);
    const llm = await this.doors.byLlm(request, subject.context);
    const all = [byAgent, byRules, llm.readings];
    const agreed = mergeDoors(
      all.map(door => door.filter(({ doubt }) => !doubt).map(reading => this.weighed(workspace, reading))),
    );
    return { subject, agreed, review: all.flat().flatMap(reviewOf), llm };
  }

  private weighed(workspace: string, reading: Reading) {
    const { source, method } = reading.input;
    return { ...reading, r: reliabilityOf(this.claims.rulesOf(workspace), source, method).r };
  }

  /**
   * Writes what was planned in a transaction of the caller. `entity_id` is null where nothing was to be written and
   * nobody is known. A transaction writes observations once, so whoever has more of them hands them in.
   * @param before calls that are written before, in the same go.
   */
  async write(tx: Tx, request: OpenTextRequest, plan: Plan, before: readonly RecordCall[] = []): Promise<FromText> {
    const { observations, noted } = keyed(request, plan.agreed);
    const call: RecordCall = { request: { focus: request.focus, observations }, idempotencyKey: undefined };
    const calls = observations.length > 0 ? [...before, call] : before;
    const outcomes = calls.length > 0 ? await this.writer.write(tx, calls) : [];
    const failed = outcomes.find(outcome => 'error' in outcome);
    if (failed) throw failed.error;
    const last = outcomes.at(-1);
    if (observations.length === 0 || !last || 'error' in last)
      return { ...nothing(plan.subject.entityId ?? null), ...readIn(plan) };
    const { body } = last.answer;
    const ids = await this.idsOf(tx, observations, body);
    return { ...body, ...readIn(plan, ids.slice(noted)) };
  }

  /** The id of each observation of a call, null for one that was known under its external id. */
  private async idsOf(
    tx: Tx,
    sent: readonly { property: string; externalId?: string }[],
    { observation_ids: ids }: Recorded,
  ): Promise<(string | null)[]> {
    if (ids.length === sent.length) return [...ids];
    const rows = new Map((await readRecorded(tx, ids)).map(row => [row.id, row]));
    let next = 0;
    return sent.map(({ property, externalId }) => {
      const row = rows.get(ids[next] ?? '');
      if (row?.property !== property || row.external_id !== (externalId ?? null)) return null;
      return ids[next++]!;
    });
  }
}

function reviewOf({ input, quote, doubt }: Reading): NeedsReview[] {
  return doubt ? [{ ...shown(input, quote), why: doubt, detail: DOUBTS[doubt] }] : [];
}

function shown({ kind, property, value, source, method }: Reading['input'], quote: string | null): ReadInText {
  return { kind, property, value, source, method, quote };
}

type WhatWasRead = Pick<FromText, 'observations' | 'needs_review' | 'rejected' | 'llm' | 'llm_detail'>;

function readIn({ agreed, review, llm }: Plan, ids: readonly (string | null)[] = []): WhatWasRead {
  const observations = agreed.map(({ input, quote, methods, r }, i): RecordedFromText => {
    return { observation_id: ids[i] ?? null, ...shown(input, quote), methods, reliability: r };
  });
  const { status, detail, rejected } = llm;
  return {
    observations,
    needs_review: review,
    rejected,
    llm: status,
    ...(detail !== undefined && { llm_detail: detail }),
  };
}

function nothing(entity_id: string | null): Omit<FromText, keyof WhatWasRead> {
  return {
    entity_id,
    recorded: 0,
    claims_recomputed: [],
    duplicates: 0,
    conflicts: [],
    observation_ids: [],
    entity_created: false,
  };
}

function rehearsed(request: OpenTextRequest, plan: Plan): FromText {
  const { observations } = keyed(request, plan.agreed);
  const { entityId } = plan.subject;
  return {
    ...nothing(entityId ?? null),
    recorded: observations.length,
    claims_recomputed: touchedProperties(observations),
    entity_created: entityId === undefined,
    ...readIn(plan),
    dry_run: true,
  };
}
