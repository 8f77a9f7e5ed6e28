import { Injectable } from '@nestjs/common';
import type { LeadScore } from '#domain/score/score-lead.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { EvidenceService } from './evidence.service.js';
import { type ScoreSettings, ScoreSettingsService } from './score-settings.service.js';
import type { EntityScore } from './score.writer.js';
import { ScoreDerivation, computeScores } from './score-derivation.js';

/** Options of scoring: the point in time (default now) and the level of detail. */
export interface ScoreOptions {
  readonly asOf?: Instant;
  readonly knownAt?: Instant;
  /** Whether layers include their reasons. Default true. */
  readonly explain?: boolean;
}

/** Scores entities of the graph. The number of statements does not depend on the number of entities. */
@Injectable()
export class EntityScoringService {
  constructor(
    private readonly settings: ScoreSettingsService,
    private readonly evidence: EvidenceService,
  ) {}

  /** Scores entities by canonical ID. Writes nothing. Two statements. */
  async scoreEntities(tx: Tx, entityIds: readonly string[]): Promise<Map<string, LeadScore>> {
    const scores = await this.scoreWithSettings(tx, entityIds, await this.settings.read(tx));
    return new Map([...scores].map(([id, { score }]) => [id, score]));
  }

  /** Returns derived writes that score the entities of a record batch and record the scores with it. */
  asDerivedWrites(settings: ScoreSettings): ScoreDerivation {
    return new ScoreDerivation(this.evidence, settings);
  }

  /** Scores entities by canonical ID with given settings. Unknown IDs are missing from the result. */
  async scoreWithSettings(
    tx: Tx,
    entityIds: readonly string[],
    { model, own }: ScoreSettings,
    { asOf, knownAt, explain }: ScoreOptions = {},
  ): Promise<Map<string, EntityScore>> {
    const now = await tx.now();
    const past = asOf !== undefined || knownAt !== undefined;
    const horizon = { asOf: asOf ?? now, knownAt: knownAt ?? now, past };
    const evidence = await this.evidence.gather(tx, [...new Set(entityIds)], { model, own, ...horizon });
    return computeScores(model, evidence, horizon.asOf, explain);
  }
}
