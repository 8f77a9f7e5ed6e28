import { Injectable } from '@nestjs/common';
import { canonicalKey } from '#domain/comparison/canonical-key.js';
import type { JsonValue, ObservationDraft } from '#domain/observation/observation.js';
import { LAYERS } from '#domain/score/model.js';
import type { LeadScore } from '#domain/score/score-lead.js';
import { toIso } from '#domain/time/instant.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx } from '#kernel/db/transaction.js';
import { membersOfSql } from '../identity/links.queries.js';
import { entityIdKey } from '../identity/identifiers.queries.js';
import { RecordBatchWriter } from '../observations/record-batch.writer.js';
import type { RecordCall } from '../observations/record-call.js';

/** A score, and the last recorded value. */
export interface EntityScore {
  readonly score: LeadScore;
  /** Undefined if none was recorded, or it has expired. */
  readonly lastValue: JsonValue | undefined;
}

/** Property under which scores are recorded. */
export const LEAD_SCORE = 'lead_score';

/** Source of recorded scores; their method is `icp:<id>@<version>` of the model. */
const SCORE_SOURCE = 'system:score';

/** Writes scores as observations, and into the rows of leads for lists. */
@Injectable()
export class ScoreWriter {
  constructor(private readonly observations: RecordBatchWriter) {}

  /**
   * Records the scores that differ from the last one of their entity, and saves all scores with the entities' leads. The
   * number of statements does not depend on the number of scores.
   * @returns the entities whose score was recorded.
   */
  async write(tx: Tx, scores: ReadonlyMap<string, EntityScore>): Promise<ReadonlySet<string>> {
    const changed = changedScores(scores);
    const calls = changed.map(([entityId, { score }]) => toRecordCall(entityId, score));
    const outcomes = calls.length > 0 ? await this.observations.write(tx, calls) : [];
    for (const outcome of outcomes) if ('error' in outcome) throw outcome.error;
    announceScores(tx, changed);
    saveLeadScores(tx, scores, toIso(await tx.now()));
    return new Set(changed.map(([entityId]) => entityId));
  }
}

type Scored = readonly [entityId: string, score: EntityScore];

/** Returns the scores that differ from the last one of their entity. */
export function changedScores(scores: ReadonlyMap<string, EntityScore>): Scored[] {
  return [...scores].filter(([, { score, lastValue }]) => isDifferent(toScoreValue(score), lastValue));
}

/** Emits a `lead.scored` event for each of these scores. */
export function announceScores(tx: Tx, changed: readonly Scored[]): void {
  for (const [entity_id, { score }] of changed)
    tx.emit({ type: 'lead.scored', payload: toEventPayload(entity_id, score) });
}

/** Returns the value under which a score is recorded. */
export function toScoreValue(score: LeadScore): Record<string, JsonValue> {
  const { layers, priority, priority_confidence, play, play_rule } = score;
  const scores = Object.fromEntries(LAYERS.map(name => [name, layers[name].score]));
  return { priority, priority_confidence, play, play_rule, icp_score: layers.fit.score, layers: scores };
}

function isDifferent(value: JsonValue, last: JsonValue | undefined): boolean {
  return last === undefined || canonicalKey(value) !== canonicalKey(last);
}

/** Converts a score to the observation that is recorded. */
export function toScoreObservation(score: LeadScore): ObservationDraft {
  const method = `icp:${score.icp_model ?? 'none'}`;
  return { kind: 'state', property: LEAD_SCORE, value: toScoreValue(score), source: SCORE_SOURCE, method };
}

function toRecordCall(entityId: string, score: LeadScore): RecordCall {
  const request = { focus: { form: 'uuid', id: entityId } as const, observations: [toScoreObservation(score)] };
  const owners = new Map([[entityIdKey(entityId), { id: entityId, canonicalId: entityId }]]);
  return { request, idempotencyKey: undefined, owners };
}

function toEventPayload(
  entity_id: string,
  { priority, play, play_rule, layers, icp_model }: LeadScore,
): Record<string, JsonValue> {
  return { entity_id, priority, play, play_rule, icp_score: layers.fit.score, icp_model };
}

// INSERT … ON CONFLICT instead of UPDATE: leads are found by entity and changed by primary key, while the conditions of an
// UPDATE would be checked for every lead. The rows are locked, so a lead that is deleted meanwhile is not inserted again.
// Leads with the same score are not touched, so `scored_at` is the time when the score changed.
const SAVE_LEAD_SCORES = prepare(
  `INSERT INTO leads (workspace_id, id, list_id, entity_id, priority, priority_confidence, play, layers, icp_score,
                      intent_score, scored_at)
   SELECT $1, lead.*, scored.priority, scored.confidence, scored.play, scored.layers, scored.icp, scored.intent,
          $2::timestamptz
   FROM unnest($3::uuid[], $4::int[], $5::real[], $6::text[], $7::jsonb[], $8::int[], $9::int[])
     AS scored (id, priority, confidence, play, layers, icp, intent)
   JOIN LATERAL (${membersOfSql('scored.id')}) AS member ON true
   JOIN LATERAL (
     SELECT l.id, l.list_id, l.entity_id FROM leads l
     WHERE l.workspace_id = $1 AND l.entity_id = member.id AND (
       l.priority, l.priority_confidence, l.play, l.layers, l.icp_score, l.intent_score
     ) IS DISTINCT FROM (
       scored.priority, scored.confidence, scored.play, scored.layers, scored.icp, scored.intent
     ) FOR NO KEY UPDATE
   ) AS lead ON true
   ON CONFLICT (workspace_id, id) DO UPDATE SET
     priority = excluded.priority, priority_confidence = excluded.priority_confidence, play = excluded.play,
     layers = excluded.layers, icp_score = excluded.icp_score, intent_score = excluded.intent_score,
     scored_at = excluded.scored_at, updated_at = now()`,
);

/** Saves scores, by canonical ID, in the existing leads of their entities. Sent with COMMIT. */
export function saveLeadScores(tx: Tx, scores: ReadonlyMap<string, EntityScore>, at: string): void {
  if (scores.size === 0) return;
  const rows = [...scores].map(([id, { score }]) => ({ id, ...toLeadColumns(score) }));
  tx.deferToCommit(SAVE_LEAD_SCORES, [
    tx.workspace,
    at,
    rows.map(row => row.id),
    rows.map(row => row.priority),
    rows.map(row => row.priority_confidence),
    rows.map(row => row.play),
    rows.map(row => JSON.stringify(row.layers)),
    rows.map(row => row.icp_score),
    rows.map(row => row.intent_score),
  ]);
}

/** Converts a score to the columns of a lead. */
export function toLeadColumns({ priority, priority_confidence, play, layers }: LeadScore) {
  return {
    priority,
    priority_confidence,
    play,
    layers: summarizeLayers(layers),
    icp_score: layers.fit.score,
    intent_score: layers.intent.score,
  };
}

/** Returns status, score and coverage of the layers, without reasons. */
function summarizeLayers(layers: LeadScore['layers']): object {
  const summaries = LAYERS.map(name => {
    const { status, score, coverage } = layers[name];
    return [name, { status, score, coverage }];
  });
  return Object.fromEntries(summaries) as object;
}
