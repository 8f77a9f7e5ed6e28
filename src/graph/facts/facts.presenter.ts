import type { Actor } from '#domain/actor/actor.js';
import type { Fact, SectionVersion } from '#domain/facts/fact.js';
import type { WriteMode } from '#domain/facts/next-version.js';
import { ICP_SECTION } from '#domain/facts/sections.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { isModelContent, parseModel } from '#domain/score/parse-model.js';
import { toIso } from '#domain/time/instant.js';

/** One version of a section in a response. */
export interface PresentedSectionVersion {
  readonly content: JsonValue;
  readonly version: number;
  readonly updated_at: string;
  readonly source: string;
  readonly author: Actor | null;
  readonly note: string | null;
  /** Of the section `icp`: whether leads are scored by it. Prose is stored but does not score. */
  readonly compiled?: boolean;
}

/** A section with its previous versions, if requested, newest first. */
export interface PresentedSection extends PresentedSectionVersion {
  readonly history?: readonly PresentedSectionVersion[];
}

/** Response of GET /v2/workspace/facts. */
export interface WorkspaceFactsResponse {
  readonly sections: Readonly<Record<string, PresentedSection>>;
  /** The sections as a flat list. */
  readonly facts: readonly Fact[];
  /** Number of facts in the list. */
  readonly count: number;
  /** Number of facts by category, including those not listed. */
  readonly by_category: Readonly<Record<string, number>>;
  readonly limit: number;
  readonly has_more: boolean;
}

/** Response of POST /v2/workspace/facts. */
export interface FactWriteResponse {
  readonly section: string;
  readonly version: number;
  readonly previous_version: number | null;
  readonly changed_paths: readonly string[];
  readonly created_at: string;
  /** Null in a dry run. */
  readonly fact: Fact | null;
  readonly mode: WriteMode;
  /** Whether a previous version existed. */
  readonly superseded: boolean;
  /** See {@link PresentedSectionVersion.compiled}. */
  readonly compiled?: boolean;
  readonly dry_run?: true;
}

/** Presents a version. */
export function presentVersion(version: SectionVersion): PresentedSectionVersion {
  const { content, version: number, source, author, note, createdAt } = version;
  return { content, version: number, updated_at: toIso(createdAt), source, author, note, ...presentCompiled(version) };
}

/** Returns whether the section `icp` has a valid model; an empty object for other sections. */
export function presentCompiled({ section, content }: Pick<SectionVersion, 'section' | 'content'>): {
  compiled?: boolean;
} {
  return section === ICP_SECTION ? { compiled: isModelContent(content) && parseModel(content, 1).ok } : {};
}
