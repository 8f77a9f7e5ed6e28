import { Injectable } from '@nestjs/common';
import { newId } from '#kernel/ids.js';
import type { Actor } from '#domain/actor/actor.js';
import {
  listChangedPaths,
  resolveWriteMode,
  computeNextVersion,
  type SectionWrite,
} from '#domain/facts/next-version.js';
import { toFacts, type SectionVersion } from '#domain/facts/fact.js';
import { listOwnDomains, toProfileFields } from '#domain/facts/profile.js';
import { ICP_SECTION, PROFILE_SECTION } from '#domain/facts/sections.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { type Act, recordAct } from '#kernel/audit/audit-log.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import { renameWorkspace } from '#kernel/workspaces/workspaces.repository.js';
import { countSections, insertSectionVersion, lockSection, readCurrentSections } from './facts.queries.js';
import { ProfileCache, ScaleCache } from './facts.caches.js';
import { presentCompiled, presentVersion, type FactWriteResponse } from './facts.presenter.js';

/** Maximum number of sections of a workspace. */
export const MAX_SECTIONS = 100;

/** The newest version of a section. */
export interface CurrentSection {
  readonly content: JsonValue;
  /** Starts at 1. */
  readonly version: number;
  readonly updatedAt: Instant;
}

/** A validated request to write a section. */
export interface FactWrite extends SectionWrite {
  /** Whether to return what would be written, without writing it. */
  readonly dryRun: boolean;
}

/** Reads and writes what a workspace says about itself: sections, every version of which is kept. */
@Injectable()
export class FactsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly scales: ScaleCache,
    private readonly profiles: ProfileCache,
  ) {}

  /**
   * Returns sections by slug; those never written are missing. One statement.
   * @param sections slugs; undefined: all.
   * @param asOf time of the state to read. Default now.
   */
  async readSections(
    tx: Tx,
    sections?: readonly string[],
    asOf?: Instant,
  ): Promise<ReadonlyMap<string, CurrentSection>> {
    const rows = await readCurrentSections(tx, sections ?? null, asOf);
    return new Map(
      rows.map(({ section, content, version, createdAt }) => [section, { content, version, updatedAt: createdAt }]),
    );
  }

  /** Returns the registrable domains (ASCII) that the section `profile` lists as the workspace's own. */
  async readOwnDomains(tx: Tx): Promise<ReadonlySet<string>> {
    return listOwnDomains((await this.readSections(tx, [PROFILE_SECTION])).get(PROFILE_SECTION)?.content);
  }

  /**
   * Writes the next version of a section; previous versions are kept. Returns 201, or 200 without a new version if the
   * content is unchanged.
   * @param author who writes.
   * @throws HubError `version_conflict` with the current version, `invalid_request`.
   */
  async write(
    workspace: string,
    author: Actor,
    write: FactWrite,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<FactWriteResponse>> {
    const written = await this.work.run(workspace, tx =>
      write.dryRun
        ? this.writeInTransaction(tx, author, write)
        : runOnce(tx, key, () => this.writeInTransaction(tx, author, write)),
    );
    if (write.section === PROFILE_SECTION) await this.profiles.refresh(workspace);
    if (write.section === ICP_SECTION) await this.scales.refresh(workspace);
    return written;
  }

  /** Writes a section within the caller's transaction. Concurrent writers of one section wait for each other. */
  async writeInTransaction(tx: Tx, author: Actor, write: FactWrite): Promise<HandlerResponse<FactWriteResponse>> {
    const [now, , [current], sections] = await Promise.all([
      tx.now(),
      lockSection(tx, write.section),
      readCurrentSections(tx, [write.section]),
      countSections(tx),
    ]);
    const id = newId();
    const next = computeNextVersion(current, write, { id, at: toIso(now) });
    if (next.outcome === 'conflict') throw HubError.versionConflict(current ? presentCurrent(current) : null);
    if (next.outcome === 'refused') throw HubError.invalidRequest(next.problems);
    if (next.outcome === 'same' && current)
      return new HandlerResponse(toFactWriteResponse(write, current, current), 200);
    if (!current && sections >= MAX_SECTIONS) throw tooManySectionsError();
    const version = toNewVersion(write, { id, author, content: next.content, version: (current?.version ?? 0) + 1 });
    if (write.dryRun)
      return new HandlerResponse(toFactWriteResponse(write, { ...version, createdAt: now }, current), 200);
    const inserted = await insertSectionVersion(tx, version);
    if (write.section === PROFILE_SECTION) await renameWorkspaceByProfile(tx, version.content);
    recordAct(tx, toSectionAct(version, current));
    return new HandlerResponse(toFactWriteResponse(write, inserted, current), 201);
  }
}

/** Gives the workspace the name of its profile, which approval pages, tokens and the operator's lists show. */
async function renameWorkspaceByProfile(tx: Tx, profile: JsonValue): Promise<void> {
  const { name } = toProfileFields(profile);
  if (name?.trim()) await renameWorkspace(tx, name);
}

/**
 * Names the versions instead of their content: every version of a section is stored, and content may name people. The
 * section `icp` is the scoring model.
 */
function toSectionAct(next: NewVersion, current: SectionVersion | undefined): Act {
  return {
    action: next.section === ICP_SECTION ? 'scoring_model.change' : 'section.change',
    objectId: next.id,
    before: current ? { section: next.section, version: current.version } : null,
    after: {
      section: next.section,
      version: next.version,
      changed_paths: listChangedPaths(current?.content, next.content),
    },
  };
}

type NewVersion = Omit<SectionVersion, 'createdAt'>;

function toNewVersion(write: FactWrite, own: Pick<NewVersion, 'id' | 'author' | 'content' | 'version'>): NewVersion {
  const { section, source, confidence } = write;
  const { note = null, subject = null, sourcePath = null } = write;
  return { ...own, section, source, confidence, note, subject, sourcePath };
}

function toFactWriteResponse(
  write: FactWrite,
  now: SectionVersion,
  before: SectionVersion | undefined,
): FactWriteResponse {
  return {
    section: now.section,
    version: now.version,
    previous_version: before && before !== now ? before.version : previousVersion(now),
    changed_paths: before === now ? [] : listChangedPaths(before?.content, now.content),
    created_at: toIso(now.createdAt),
    fact: write.dryRun ? null : (toFacts(now)[0] ?? null),
    mode: resolveWriteMode(write),
    superseded: before !== undefined && before !== now,
    ...presentCompiled(now),
    ...(write.dryRun && { dry_run: true }),
  };
}

function previousVersion({ version }: SectionVersion): number | null {
  return version > 1 ? version - 1 : null;
}

function presentCurrent(current: SectionVersion): object {
  return { section: current.section, ...presentVersion(current) };
}

function tooManySectionsError(): HubError {
  const message = `A workspace has at most ${MAX_SECTIONS} sections; write to one of those.`;
  return HubError.invalidRequest([{ field: 'section', message }]);
}
