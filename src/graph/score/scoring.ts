import { MAX_BATCH, type ObservationInput } from '#domain/observation/observation.js';
import type { IcpModel } from '#domain/score/model.js';
import { type LeadScore, scoreLead } from '#domain/score/score-lead.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { mapYielding } from '#kernel/scheduling/yield.js';
import type { KeptClaim } from '../claims/claims.queries.js';
import type { SettledEntity } from '../observations/rivals.service.js';
import type { Sequel } from '../observations/sequel.js';
import type { EntityEvidence, EvidenceService, Gathered } from './evidence.service.js';
import type { ScoreSettings } from './score-settings.js';
import { changedAmong, type EntityScore, LEAD_SCORE, observationOf, tellChanged } from './score-writer.js';

/** Scores those that a batch of record calls is about, by what the batch leaves known of them. */
export class Scoring implements Sequel {
  readonly properties = [LEAD_SCORE];
  /** By canonical id, once the batch has been written. */
  scores: ReadonlyMap<string, EntityScore> = new Map();
  private gathered: Gathered | undefined;

  constructor(
    private readonly evidence: EvidenceService,
    private readonly settings: ScoreSettings,
  ) {}

  async prepare(tx: Tx, entities: readonly SettledEntity[]): Promise<void> {
    // The last of a batch is that much later than its receipt.
    const asOf = (await tx.now()) + MAX_BATCH;
    const companies = entities.flatMap(({ canonicalId, employer }) =>
      employer ? [[canonicalId, employer.id] as const] : [],
    );
    const ids = [...new Set(entities.map(({ canonicalId }) => canonicalId))];
    const gathering = { ...this.settings, asOf, knownAt: asOf, past: false };
    this.gathered = await this.evidence.read(tx, ids, gathering, new Map(companies));
  }

  async conclude(tx: Tx, folded: readonly KeptClaim[]): Promise<ReadonlyMap<string, readonly ObservationInput[]>> {
    const gathered = this.gathered!;
    const known = this.evidence.evidenceIn(tx, gathered, folded);
    this.scores = await scoresOf(this.settings.model, known, gathered.gathering.asOf);
    const changed = changedAmong(this.scores);
    tellChanged(tx, changed);
    return new Map(changed.map(([id, { score }]) => [id, [observationOf(score)]]));
  }
}

/** Scores by canonical id. @param explain whether every layer tells its reasons; they do, where nothing is said. */
export async function scoresOf(
  model: IcpModel,
  known: ReadonlyMap<string, EntityEvidence>,
  asOf: Instant,
  explain?: boolean,
): Promise<Map<string, EntityScore>> {
  const scores = await mapYielding([...known], ([id, { evidence, lastScore }]) => {
    const score: LeadScore = scoreLead(model, evidence, asOf, explain);
    return [id, { score, lastValue: lastScore?.value }] as const;
  });
  return new Map(scores);
}
