import { Injectable } from '@nestjs/common';
import { factsOf, type SectionVersion } from '#domain/facts/fact.js';
import { displayNameOf } from '#domain/facts/sections.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { readCurrent, readHistory, readVersion } from './facts.queries.js';
import { type ShownSection, showVersion, type WorkspaceFacts } from './shown-facts.js';

/** Versions of a section that `history` shows, the newest ones. */
export const MAX_HISTORY = 50;

/** Which facts are wanted. */
export interface FactsRequest {
  /** Slugs; absent: all. */
  readonly sections?: readonly string[];
  /** One version of the one section; absent: the newest. */
  readonly version?: number;
  /** As they stood then. Default now. */
  readonly asOf?: Instant;
  /** With the versions before. */
  readonly history: boolean;
  /** Facts in the flat list, at most. */
  readonly limit: number;
}

/** Reads the workspace's own facts, as sections and as a flat list. */
@Injectable()
export class FactsReader {
  constructor(private readonly work: UnitOfWork) {}

  /** @throws HubError `not_found` for a version that there is not. */
  read(workspace: string, request: FactsRequest): Promise<WorkspaceFacts> {
    return this.work.run(workspace, async tx => {
      const versions = await this.versionsOf(tx, request);
      const names = versions.map(({ section }) => section);
      const past = request.history ? await readHistory(tx, names, request.asOf, MAX_HISTORY) : undefined;
      return answerOf(versions, past, request.limit);
    });
  }

  private async versionsOf(tx: Tx, { sections, version, asOf }: FactsRequest): Promise<SectionVersion[]> {
    const [section] = sections ?? [];
    if (version === undefined || section === undefined) return readCurrent(tx, sections ?? null, asOf);
    const found = await readVersion(tx, section, version);
    if (found) return [found];
    throw new HubError('not_found', { detail: `The section "${section}" has no version ${version}.` });
  }
}

function answerOf(
  versions: readonly SectionVersion[],
  past: readonly SectionVersion[] | undefined,
  limit: number,
): WorkspaceFacts {
  const facts = versions.flatMap(factsOf);
  const listed = facts.slice(0, limit);
  const counts = versions.map(version => [displayNameOf(version.section), factsOf(version).length] as const);
  return {
    sections: Object.fromEntries(versions.map(version => [version.section, sectionOf(version, past)])),
    facts: listed,
    count: listed.length,
    by_category: Object.fromEntries(counts),
    limit,
    has_more: facts.length > limit,
  };
}

function sectionOf(version: SectionVersion, past: readonly SectionVersion[] | undefined): ShownSection {
  const older = past?.filter(row => row.section === version.section && row.version < version.version);
  return { ...showVersion(version), ...(older && { history: older.map(showVersion) }) };
}
