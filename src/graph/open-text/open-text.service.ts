import { Injectable } from '@nestjs/common';
import { listTouchedProperties } from '#domain/claims/implied-statements.js';
import { resolveReliability } from '#domain/claims/trust.js';
import { REVIEW_REASONS } from '#domain/extract/extraction.js';
import { type MergedExtraction, mergeExtractions } from '#domain/extract/merge-extractions.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce, lookUpKeys } from '#kernel/idempotency/idempotency-store.js';
import { ClaimsService } from '../claims/claims.service.js';
import { RecordBatchWriter } from '../observations/record-batch.writer.js';
import type { RecordCall } from '../observations/record-call.js';
import type { RecordResponse } from '../observations/observations.presenter.js';
import {
  ExtractorsService,
  type LlmExtraction,
  type ExtractedStatement,
  withExternalIds,
} from './extractors.service.js';
import type {
  RecordTextResponse,
  NeedsReview,
  ExtractedObservation,
  RecordedExtraction,
} from './open-text.presenter.js';
import type { OpenTextRequest, OpenTextInput } from './open-text-request.js';
import { readObservationKeys, type TextSubject, TextSubjectService } from './text-subject.service.js';

/** The result of the extraction: what will be recorded, and what needs review. */
export interface ExtractionPlan {
  readonly subject: TextSubject;
  readonly extractions: readonly MergedExtraction[];
  readonly review: readonly NeedsReview[];
  readonly llm: LlmExtraction;
}

/** Records from open text: the text as an event, and the extracted observations that need no review. */
@Injectable()
export class OpenTextService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly subjects: TextSubjectService,
    private readonly extractors: ExtractorsService,
    private readonly claims: ClaimsService,
    private readonly writer: RecordBatchWriter,
  ) {}

  /**
   * Records a text and its observations. Reads in one transaction, calls the model outside of any, and writes in another.
   * If the model is unavailable, the text is recorded without its extractions.
   * @throws HubError `entity_not_found` for an unknown UUID, `invalid_focus` if there is no focus and the text does not
   *   name exactly one person, `idempotency_conflict`.
   */
  async record(
    workspace: string,
    input: OpenTextInput,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<RecordTextResponse>> {
    const replay = key && !input.dryRun ? await this.findReplay(workspace, key) : undefined;
    if (replay) return replay;
    const request = { ...input, focus: input.focus ?? (await this.subjects.findNamed(workspace, input.text ?? '')) };
    const plan = await this.plan(workspace, request);
    if (request.dryRun) return new HandlerResponse(toDryRunResponse(request, plan), 200);
    return this.work.run(workspace, tx =>
      runOnce(tx, key, async () => {
        const written = await this.write(tx, request, plan);
        if (written.entity_id === null) throw HubError.entityNotFound();
        return new HandlerResponse(written, 200);
      }),
    );
  }

  /** Extracts from a text; calls the model outside of any transaction. @throws HubError `entity_not_found` for an unknown UUID. */
  async plan(workspace: string, request: OpenTextRequest): Promise<ExtractionPlan> {
    const { focus, source, observedAt } = request;
    const subject = await this.work.run(workspace, tx => this.subjects.load(tx, focus, source, observedAt));
    return this.buildPlan(workspace, request, subject);
  }

  /** Returns the stored response of a repeated key, so that a retry does not call the model again. */
  private async findReplay(
    workspace: string,
    key: IdempotencyKey,
  ): Promise<HandlerResponse<RecordTextResponse> | undefined> {
    const [state] = await this.work.run(workspace, tx => lookUpKeys(tx, [key]));
    if (state instanceof HubError) throw state;
    return state instanceof HandlerResponse ? (state as HandlerResponse<RecordTextResponse>) : undefined;
  }

  private async buildPlan(workspace: string, request: OpenTextRequest, subject: TextSubject): Promise<ExtractionPlan> {
    const byAgent = await this.extractors.fromAgent(request.observations, request.text);
    const byRules = await this.extractors.fromRules(request, subject.context);
    const llm = await this.extractors.fromLlm(request, subject.context);
    const all = [byAgent, byRules, llm.statements];
    const extractions = mergeExtractions(
      all.map(statements =>
        statements
          .filter(({ reviewReason }) => !reviewReason)
          .map(statement => this.withReliability(workspace, statement)),
      ),
    );
    return { subject, extractions, review: all.flat().flatMap(toReviewItems), llm };
  }

  private withReliability(workspace: string, statement: ExtractedStatement) {
    const { source, method } = statement.input;
    return { ...statement, r: resolveReliability(this.claims.rulesOf(workspace), source, method).r };
  }

  /**
   * Writes a plan in a transaction of the caller. `entity_id` is null if nothing was written and the entity is unknown.
   * @param before calls that are written first, in the same batch, because a transaction writes observations only once.
   */
  async write(
    tx: Tx,
    request: OpenTextRequest,
    plan: ExtractionPlan,
    before: readonly RecordCall[] = [],
  ): Promise<RecordTextResponse> {
    const { observations, noted } = withExternalIds(request, plan.extractions);
    const { focus, author } = request;
    const call: RecordCall = {
      request: { focus, observations, ...(author !== undefined && { author }) },
      idempotencyKey: undefined,
    };
    const calls = observations.length > 0 ? [...before, call] : before;
    const outcomes = calls.length > 0 ? await this.writer.write(tx, calls) : [];
    const failed = outcomes.find(outcome => 'error' in outcome);
    if (failed) throw failed.error;
    const last = outcomes.at(-1);
    if (observations.length === 0 || !last || 'error' in last)
      return { ...emptyResult(plan.subject.entityId ?? null), ...presentPlan(plan) };
    const { body } = last.result;
    const ids = await this.matchIds(tx, observations, body);
    return { ...body, ...presentPlan(plan, ids.slice(noted)) };
  }

  /** Returns the ID of each observation of a call; null if it was recorded before under its external ID. */
  private async matchIds(
    tx: Tx,
    sent: readonly { property: string; externalId?: string }[],
    { observation_ids: ids }: RecordResponse,
  ): Promise<(string | null)[]> {
    if (ids.length === sent.length) return [...ids];
    const rows = new Map((await readObservationKeys(tx, ids)).map(row => [row.id, row]));
    let next = 0;
    return sent.map(({ property, externalId }) => {
      const row = rows.get(ids[next] ?? '');
      if (row?.property !== property || row.external_id !== (externalId ?? null)) return null;
      return ids[next++]!;
    });
  }
}

function toReviewItems({ input, quote, reviewReason }: ExtractedStatement): NeedsReview[] {
  return reviewReason
    ? [{ ...presentStatement(input, quote), why: reviewReason, detail: REVIEW_REASONS[reviewReason] }]
    : [];
}

function presentStatement(
  { kind, property, value, source, method }: ExtractedStatement['input'],
  quote: string | null,
): ExtractedObservation {
  return { kind, property, value, source, method, quote };
}

type ExtractionReport = Pick<RecordTextResponse, 'observations' | 'needs_review' | 'rejected' | 'llm' | 'llm_detail'>;

function presentPlan(
  { extractions, review, llm }: ExtractionPlan,
  ids: readonly (string | null)[] = [],
): ExtractionReport {
  const observations = extractions.map(({ input, quote, methods, r }, i): RecordedExtraction => {
    return { observation_id: ids[i] ?? null, ...presentStatement(input, quote), methods, reliability: r };
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

function emptyResult(entity_id: string | null): Omit<RecordTextResponse, keyof ExtractionReport> {
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

function toDryRunResponse(request: OpenTextRequest, plan: ExtractionPlan): RecordTextResponse {
  const { observations } = withExternalIds(request, plan.extractions);
  const { entityId } = plan.subject;
  return {
    ...emptyResult(entityId ?? null),
    recorded: observations.length,
    claims_recomputed: listTouchedProperties(observations),
    entity_created: entityId === undefined,
    ...presentPlan(plan),
    dry_run: true,
  };
}
