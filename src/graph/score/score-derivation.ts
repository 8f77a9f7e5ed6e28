import { MAX_BATCH_OBSERVATIONS, type ObservationDraft } from '#domain/observation/observation.js';
import type { IcpModel } from '#domain/score/model.js';
import { type LeadScore, scoreLead } from '#domain/score/score-lead.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { mapYielding } from '#kernel/scheduling/cooperative-scheduler.js';
import type { StoredClaim } from '../claims/claims.queries.js';
import type { ReconciledEntity } from '../observations/identifier-conflicts.service.js';
import type { DerivedWrites } from '../observations/observation-appender.js';
import type { EntityEvidence, EvidenceService, EvidenceSet } from './evidence.service.js';
import type { ScoreSettings } from './score-settings.service.js';
import { changedScores, type EntityScore, LEAD_SCORE, toScoreObservation, announceScores } from './score.writer.js';

/** Scores the entities of a record batch from their facts after the batch. */
export class ScoreDerivation implements DerivedWrites {
  readonly properties = [LEAD_SCORE];
  /** Scores by canonical ID, after the batch was written. */
  scores: ReadonlyMap<string, EntityScore> = new Map();
  private evidenceSet: EvidenceSet | undefined;

  constructor(
    private readonly evidence: EvidenceService,
    private readonly settings: ScoreSettings,
  ) {}

  async load(tx: Tx, entities: readonly ReconciledEntity[]): Promise<void> {
    // Each observation of a batch is one microsecond later than the previous one; this is the latest possible time.
    const asOf = (await tx.now()) + MAX_BATCH_OBSERVATIONS;
    const companies = entities.flatMap(({ canonicalId, employer }) =>
      employer ? [[canonicalId, employer.id] as const] : [],
    );
    const ids = [...new Set(entities.map(({ canonicalId }) => canonicalId))];
    const request = { ...this.settings, asOf, knownAt: asOf, past: false };
    this.evidenceSet = await this.evidence.read(tx, ids, request, new Map(companies));
  }

  async derive(tx: Tx, folded: readonly StoredClaim[]): Promise<ReadonlyMap<string, readonly ObservationDraft[]>> {
    const evidenceSet = this.evidenceSet!;
    const evidence = this.evidence.buildEvidence(tx, evidenceSet, folded);
    this.scores = await computeScores(this.settings.model, evidence, evidenceSet.request.asOf);
    const changed = changedScores(this.scores);
    announceScores(tx, changed);
    return new Map(changed.map(([id, { score }]) => [id, [toScoreObservation(score)]]));
  }
}

/** Computes scores by canonical ID. @param explain whether layers include their reasons; default true. */
export async function computeScores(
  model: IcpModel,
  evidenceById: ReadonlyMap<string, EntityEvidence>,
  asOf: Instant,
  explain?: boolean,
): Promise<Map<string, EntityScore>> {
  const scores = await mapYielding([...evidenceById], ([id, { evidence, lastScore }]) => {
    const score: LeadScore = scoreLead(model, evidence, asOf, explain);
    return [id, { score, lastValue: lastScore?.value }] as const;
  });
  return new Map(scores);
}
