import { Injectable } from '@nestjs/common';
import { ownDomainsIn } from '#domain/facts/profile.js';
import { ICP, PROFILE } from '#domain/facts/sections.js';
import { NO_MODEL } from '#domain/score/defaults.js';
import type { IcpModel } from '#domain/score/model.js';
import { looksLikeModel, readModel } from '#domain/score/read-model.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { FactsService } from '../facts/facts.service.js';

/** What a workspace scores its leads with. */
export interface ScoreSettings {
  /** `NO_MODEL` when the workspace has described no ideal customer, or in prose only. */
  readonly model: IcpModel;
  /** Registrable domains of the workspace itself. */
  readonly own: ReadonlySet<string>;
}

/** Reads the model of the ideal customer and the own domains from the workspace's facts. One statement. */
@Injectable()
export class ScoreSettingsReader {
  constructor(private readonly facts: FactsService) {}

  /** @param asOf as they stood then. Default now. */
  async read(tx: Tx, asOf?: Instant): Promise<ScoreSettings> {
    const sections = await this.facts.current(tx, [ICP, PROFILE], asOf);
    const icp = sections.get(ICP);
    const read = icp && looksLikeModel(icp.content) ? readModel(icp.content, icp.version) : undefined;
    return { model: read?.ok ? read.model : NO_MODEL, own: ownDomainsIn(sections.get(PROFILE)?.content) };
  }
}
