import { Injectable } from '@nestjs/common';
import type { LeadScore } from '#domain/score/score-lead.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { EvidenceService } from './evidence.service.js';
import { type ScoreSettings, ScoreSettingsService } from './score-settings.service.js';
import type { EntityScore } from './score.writer.js';
import { ScoreDerivation, computeScores } from './score-derivation.js';

/** As of when entities are scored, now where nothing is said, and how much is told. */
export interface ScoreOptions {
  readonly asOf?: Instant;
  readonly knownAt?: Instant;
  /** Whether every layer tells its reasons; they do, where nothing is said. */
  readonly explain?: boolean;
}

/** Scores entities of the graph, with the same few statements however many they are. */
@Injectable()
export class EntityScoringService {
  constructor(
    private readonly settings: ScoreSettingsService,
    private readonly evidence: EvidenceService,
  ) {}

  /** The layered read of entities by their canonical ids; writes nothing. Two statements. */
  async scoreEntities(tx: Tx, entityIds: readonly string[]): Promise<Map<string, LeadScore>> {
    const scores = await this.scoreWithSettings(tx, entityIds, await this.settings.read(tx));
    return new Map([...scores].map(([id, { score }]) => [id, score]));
  }

  /** What scores those that a batch is about, and records their scores with it. */
  asDerivedWrites(settings: ScoreSettings): ScoreDerivation {
    return new ScoreDerivation(this.evidence, settings);
  }

  /** Scores by canonical id, with settings that were read already; an id that nobody has is missing. */
  async scoreWithSettings(
    tx: Tx,
    entityIds: readonly string[],
    { model, own }: ScoreSettings,
    { asOf, knownAt, explain }: ScoreOptions = {},
  ): Promise<Map<string, EntityScore>> {
    const now = await tx.now();
    const past = asOf !== undefined || knownAt !== undefined;
    const horizon = { asOf: asOf ?? now, knownAt: knownAt ?? now, past };
    const known = await this.evidence.gather(tx, [...new Set(entityIds)], { model, own, ...horizon });
    return computeScores(model, known, horizon.asOf, explain);
  }
}
