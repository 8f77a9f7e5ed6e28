import { Injectable } from '@nestjs/common';
import { listOwnDomains, readDefaultCountry } from '#domain/facts/profile.js';
import type { PhoneCountry } from '#domain/identity/focus.js';
import { PROFILE_SECTION, ICP_SECTION } from '#domain/facts/sections.js';
import type { Transaction } from '#kernel/db/transaction.js';
import { WorkspaceCache } from '#kernel/db/workspace-cache.js';
import { DEFAULT_SCALE, type ScoreScale } from '#domain/score/bands.js';
import { isModelContent, parseModel } from '#domain/score/parse-model.js';
import { readNewestContent } from './facts.queries.js';

/** What writes need of the profile of a workspace. */
export interface ProfileSettings {
  /**
   * Registrable domains (ASCII) of the workspace itself. People at these domains are colleagues: they create no company
   * and are no leads.
   */
  readonly ownDomains: ReadonlySet<string>;
  /** Country of phone numbers without a country code, which is `default_country`; undefined if there is none. */
  readonly phoneCountry: PhoneCountry | undefined;
}

/** Caches the settings in the profile of a workspace. */
@Injectable()
export class ProfileCache extends WorkspaceCache<ProfileSettings> {
  protected async query(tx: Transaction, workspace: string): Promise<ProfileSettings> {
    const content = await readNewestContent(tx, workspace, PROFILE_SECTION);
    return { ownDomains: listOwnDomains(content), phoneCountry: readDefaultCountry(content) };
  }
}

/** Caches the tiers and bands by which lists and accounts of a workspace present stored scores. */
@Injectable()
export class ScaleCache extends WorkspaceCache<ScoreScale> {
  protected async query(tx: Transaction, workspace: string): Promise<ScoreScale> {
    const content = await readNewestContent(tx, workspace, ICP_SECTION);
    const model = content !== undefined && isModelContent(content) ? parseModel(content, 1) : undefined;
    return model?.ok ? model.model.scale : DEFAULT_SCALE;
  }
}
