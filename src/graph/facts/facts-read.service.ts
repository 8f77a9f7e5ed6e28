import { Injectable } from '@nestjs/common';
import { toFacts, type SectionVersion } from '#domain/facts/fact.js';
import { formatSectionName } from '#domain/facts/sections.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { readCurrentSections, readSectionHistory, readSectionVersion } from './facts.queries.js';
import { type PresentedSection, presentVersion, type WorkspaceFactsResponse } from './facts.presenter.js';

/** Maximum number of versions per section that `history` returns, newest first. */
export const MAX_HISTORY_VERSIONS = 50;

/** A validated request to read facts. */
export interface FactsRequest {
  /** Slugs; undefined: all sections. */
  readonly sections?: readonly string[];
  /** Version of the one section; undefined: the newest. */
  readonly version?: number;
  /** Time of the state to read. Default now. */
  readonly asOf?: Instant;
  /** Whether to include previous versions. */
  readonly history: boolean;
  /** Maximum number of facts in the flat list. */
  readonly limit: number;
}

/** Reads the workspace's own facts, as sections and as a flat list. */
@Injectable()
export class FactsReadService {
  constructor(private readonly work: UnitOfWork) {}

  /** Reads facts. @throws HubError `not_found` for a version that does not exist. */
  read(workspace: string, request: FactsRequest): Promise<WorkspaceFactsResponse> {
    return this.work.run(workspace, async tx => {
      const versions = await this.readVersions(tx, request);
      const names = versions.map(({ section }) => section);
      const past = request.history
        ? await readSectionHistory(tx, names, request.asOf, MAX_HISTORY_VERSIONS)
        : undefined;
      return toFactsResponse(versions, past, request.limit);
    });
  }

  private async readVersions(tx: Tx, { sections, version, asOf }: FactsRequest): Promise<SectionVersion[]> {
    const [section] = sections ?? [];
    if (version === undefined || section === undefined) return readCurrentSections(tx, sections ?? null, asOf);
    const found = await readSectionVersion(tx, section, version);
    if (found) return [found];
    throw new HubError('not_found', { detail: `The section "${section}" has no version ${version}.` });
  }
}

function toFactsResponse(
  versions: readonly SectionVersion[],
  past: readonly SectionVersion[] | undefined,
  limit: number,
): WorkspaceFactsResponse {
  const facts = versions.flatMap(toFacts);
  const listed = facts.slice(0, limit);
  const counts = versions.map(version => [formatSectionName(version.section), toFacts(version).length] as const);
  return {
    sections: Object.fromEntries(versions.map(version => [version.section, presentSection(version, past)])),
    facts: listed,
    count: listed.length,
    by_category: Object.fromEntries(counts),
    limit,
    has_more: facts.length > limit,
  };
}

function presentSection(version: SectionVersion, past: readonly SectionVersion[] | undefined): PresentedSection {
  const older = past?.filter(row => row.section === version.section && row.version < version.version);
  return { ...presentVersion(version), ...(older && { history: older.map(presentVersion) }) };
}
