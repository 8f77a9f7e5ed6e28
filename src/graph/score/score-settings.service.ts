import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { listOwnDomains } from '#domain/facts/profile.js';
import { ICP_SECTION, PROFILE_SECTION } from '#domain/facts/sections.js';
import { EMPTY_MODEL, type IcpModel } from '#domain/score/model.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { isModelContent, parseModel } from '#domain/score/parse-model.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { readSectionContents } from '../facts/facts.queries.js';

/** The settings by which a workspace scores its leads. */
export interface ScoreSettings {
  /** `EMPTY_MODEL` if the workspace has no model, or only a description in prose. */
  readonly model: IcpModel;
  /** Registrable domains of the workspace itself. */
  readonly own: ReadonlySet<string>;
}

/** Maximum number of cached models. */
const MAX_MODELS = 1000;

/** Reads the model of the ideal customer and the own domains from the workspace's facts. One statement. */
@Injectable()
export class ScoreSettingsService {
  /** Models by workspace and version of the section. Versions are immutable, so entries need no expiry. */
  private readonly models = new LRUCache<string, IcpModel>({ max: MAX_MODELS });

  /** Reads the settings. @param asOf default now. */
  async read(tx: Tx, asOf?: Instant): Promise<ScoreSettings> {
    const rows = await readSectionContents(tx, [ICP_SECTION, PROFILE_SECTION], asOf);
    const sections = new Map(rows.map(row => [row.section, row]));
    const icp = sections.get(ICP_SECTION);
    return {
      model: icp ? this.parseModel(tx.workspace, icp) : EMPTY_MODEL,
      own: listOwnDomains(sections.get(PROFILE_SECTION)?.content),
    };
  }

  private parseModel(
    workspace: string,
    { content, version }: { readonly content: JsonValue; readonly version: number },
  ): IcpModel {
    const key = `${workspace} ${version}`;
    const cached = this.models.get(key);
    if (cached) return cached;
    const read = isModelContent(content) ? parseModel(content, version) : undefined;
    const model = read?.ok ? read.model : EMPTY_MODEL;
    this.models.set(key, model);
    return model;
  }
}
