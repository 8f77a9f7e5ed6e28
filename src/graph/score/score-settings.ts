import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ownDomainsIn } from '#domain/facts/profile.js';
import { ICP, PROFILE } from '#domain/facts/sections.js';
import { NO_MODEL } from '#domain/score/defaults.js';
import type { Json } from '#domain/observation/observation.js';
import type { IcpModel } from '#domain/score/model.js';
import { looksLikeModel, readModel } from '#domain/score/read-model.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { readContents } from '../facts/facts.queries.js';

/** What a workspace scores its leads with. */
export interface ScoreSettings {
  /** `NO_MODEL` when the workspace has described no ideal customer, or in prose only. */
  readonly model: IcpModel;
  /** Registrable domains of the workspace itself. */
  readonly own: ReadonlySet<string>;
}

/** Models that a process remembers. */
const MAX_KNOWN = 1000;

/** Reads the model of the ideal customer and the own domains from the workspace's facts. One statement. */
@Injectable()
export class ScoreSettingsReader {
  /** By workspace and version of the section: what a version says never changes. */
  private readonly models = new LRUCache<string, IcpModel>({ max: MAX_KNOWN });

  /** @param asOf as they stood then. Default now. */
  async read(tx: Tx, asOf?: Instant): Promise<ScoreSettings> {
    const rows = await readContents(tx, [ICP, PROFILE], asOf);
    const sections = new Map(rows.map(row => [row.section, row]));
    const icp = sections.get(ICP);
    return {
      model: icp ? this.modelIn(tx.workspace, icp) : NO_MODEL,
      own: ownDomainsIn(sections.get(PROFILE)?.content),
    };
  }

  private modelIn(
    workspace: string,
    { content, version }: { readonly content: Json; readonly version: number },
  ): IcpModel {
    const key = `${workspace} ${version}`;
    const known = this.models.get(key);
    if (known) return known;
    const read = looksLikeModel(content) ? readModel(content, version) : undefined;
    const model = read?.ok ? read.model : NO_MODEL;
    this.models.set(key, model);
    return model;
  }
}
