import { Injectable } from '@nestjs/common';
import { type LeadScore, scoreLead } from '#domain/score/score-lead.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { EvidenceService } from './evidence.service.js';
import { mapInTurns } from './pace.js';
import { type ScoreSettings, ScoreSettingsReader } from './score-settings.js';
import { type EntityScore, ScoreWriter } from './score-writer.js';

/** As of when entities are scored, now where nothing is said, and how much is told. */
export interface ScoreTime {
  readonly asOf?: Instant;
  readonly knownAt?: Instant;
  /** Whether every layer tells its reasons; they do, where nothing is said. */
  readonly explain?: boolean;
}

/** Scores entities of the graph, with the same few statements however many they are. */
@Injectable()
export class ScoreService {
  constructor(
    private readonly settings: ScoreSettingsReader,
    private readonly evidence: EvidenceService,
    private readonly writer: ScoreWriter,
  ) {}

  /** The layered read of entities by their canonical ids; writes nothing. Two statements. */
  async scoreEntities(tx: Tx, entityIds: readonly string[]): Promise<Map<string, LeadScore>> {
    const scores = await this.read(tx, entityIds, await this.settings.read(tx));
    return new Map([...scores].map(([id, { score }]) => [id, score]));
  }

  /** Scores entities and writes what has changed: see `ScoreWriter.write`. */
  async scoreAndKeep(tx: Tx, entityIds: readonly string[]): Promise<Map<string, LeadScore>> {
    const scores = await this.read(tx, entityIds, await this.settings.read(tx));
    await this.writer.write(tx, scores);
    return new Map([...scores].map(([id, { score }]) => [id, score]));
  }

  /** Scores by canonical id, with settings that were read already; an id that nobody has is missing. */
  async read(
    tx: Tx,
    entityIds: readonly string[],
    { model, own }: ScoreSettings,
    { asOf, knownAt, explain }: ScoreTime = {},
  ): Promise<Map<string, EntityScore>> {
    const now = await tx.now();
    const past = asOf !== undefined || knownAt !== undefined;
    const horizon = { asOf: asOf ?? now, knownAt: knownAt ?? now, past };
    const known = await this.evidence.gather(tx, [...new Set(entityIds)], { model, own, ...horizon });
    const scores = await mapInTurns([...known], ([id, { evidence, lastScore }]) => {
      const score = scoreLead(model, evidence, horizon.asOf, explain);
      return [id, { score, lastValue: lastScore?.value }] as const;
    });
    return new Map(scores);
  }
}
