import { Injectable } from '@nestjs/common';
import { newId } from '#kernel/ids.js';
import { changedPaths } from '#domain/facts/changed-paths.js';
import { factsOf, type SectionVersion } from '#domain/facts/fact.js';
import { modeOf, nextVersion, type SectionWrite } from '#domain/facts/next-version.js';
import { ownDomainsIn } from '#domain/facts/profile.js';
import { ICP, PROFILE } from '#domain/facts/sections.js';
import type { Json } from '#domain/observation/observation.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { Answered } from '#kernel/idempotency/answered.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { once } from '#kernel/idempotency/kept-answers.js';
import { countSections, insertVersion, lockSection, readCurrent } from './facts.queries.js';
import { OwnDomains } from './own-domains.js';
import { ScaleBook } from './scale-book.js';
import { compiledOf, showVersion, type WrittenFact } from './shown-facts.js';

/** Most sections of a workspace. */
export const MAX_SECTIONS = 100;

/** A section as it stands. */
export interface CurrentSection {
  readonly content: Json;
  /** From 1. */
  readonly version: number;
  readonly updatedAt: Instant;
}

/** A wish to write a section. */
export interface FactWrite extends SectionWrite {
  /** Tell what would be written, and write nothing. */
  readonly dryRun: boolean;
}

/** What a workspace says about itself: sections, of which every version is kept. */
@Injectable()
export class FactsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly own: OwnDomains,
    private readonly scales: ScaleBook,
  ) {}

  /**
   * The sections as they stand, by slug; one that was never written is missing. One statement.
   * @param sections which ones; absent: all.
   * @param asOf as they stood then. Default now.
   */
  async current(tx: Tx, sections?: readonly string[], asOf?: Instant): Promise<ReadonlyMap<string, CurrentSection>> {
    const rows = await readCurrent(tx, sections ?? null, asOf);
    return new Map(
      rows.map(({ section, content, version, createdAt }) => [section, { content, version, updatedAt: createdAt }]),
    );
  }

  /** The registrable domains (ASCII) that the workspace calls its own in the section `profile`. */
  async ownDomains(tx: Tx): Promise<ReadonlySet<string>> {
    return ownDomainsIn((await this.current(tx, [PROFILE])).get(PROFILE)?.content);
  }

  /**
   * Writes the next version of a section; the ones before it are kept. What the section says already is not written
   * again and answered 200, anything new 201.
   * @param author id of the API key that writes.
   * @throws HubError `version_conflict` with the current version, `invalid_request`.
   */
  async write(
    workspace: string,
    author: string,
    write: FactWrite,
    key?: IdempotencyKey,
  ): Promise<Answered<WrittenFact>> {
    const written = await this.work.run(workspace, tx =>
      write.dryRun ? this.writeIn(tx, author, write) : once(tx, key, () => this.writeIn(tx, author, write)),
    );
    if (write.section === PROFILE) await this.own.refresh();
    if (write.section === ICP) await this.scales.refresh();
    return written;
  }

  /** The same within a transaction of the caller's; two writers of one section wait for each other. */
  async writeIn(tx: Tx, author: string, write: FactWrite): Promise<Answered<WrittenFact>> {
    const [now, , [current], sections] = await Promise.all([
      tx.now(),
      lockSection(tx, write.section),
      readCurrent(tx, [write.section]),
      countSections(tx),
    ]);
    const id = newId();
    const next = nextVersion(current, write, { id, at: toIso(now) });
    if (next.outcome === 'conflict') throw HubError.versionConflict(current ? shownWith(current) : null);
    if (next.outcome === 'refused') throw HubError.invalidRequest(next.problems);
    if (next.outcome === 'same' && current) return new Answered(answerOf(write, current, current), 200);
    if (!current && sections >= MAX_SECTIONS) throw tooManySections();
    const version = rowOf(write, { id, author, content: next.content, version: (current?.version ?? 0) + 1 });
    if (write.dryRun) return new Answered(answerOf(write, { ...version, createdAt: now }, current), 200);
    return new Answered(answerOf(write, await insertVersion(tx, version), current), 201);
  }
}

type NewVersion = Omit<SectionVersion, 'createdAt'>;

function rowOf(write: FactWrite, own: Pick<NewVersion, 'id' | 'author' | 'content' | 'version'>): NewVersion {
  const { section, source, confidence } = write;
  const { note = null, subject = null, sourcePath = null } = write;
  return { ...own, section, source, confidence, note, subject, sourcePath };
}

function answerOf(write: FactWrite, now: SectionVersion, before: SectionVersion | undefined): WrittenFact {
  return {
    section: now.section,
    version: now.version,
    previous_version: before && before !== now ? before.version : priorTo(now),
    changed_paths: before === now ? [] : changedPaths(before?.content, now.content),
    created_at: toIso(now.createdAt),
    fact: write.dryRun ? null : (factsOf(now)[0] ?? null),
    mode: modeOf(write),
    superseded: before !== undefined && before !== now,
    ...compiledOf(now),
    ...(write.dryRun && { dry_run: true }),
  };
}

function priorTo({ version }: SectionVersion): number | null {
  return version > 1 ? version - 1 : null;
}

function shownWith(current: SectionVersion): object {
  return { section: current.section, ...showVersion(current) };
}

function tooManySections(): HubError {
  const message = `A workspace has at most ${MAX_SECTIONS} sections; write to one of those.`;
  return HubError.invalidRequest([{ field: 'section', message }]);
}
