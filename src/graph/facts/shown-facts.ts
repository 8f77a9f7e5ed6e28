import type { Fact, SectionVersion } from '#domain/facts/fact.js';
import type { WriteMode } from '#domain/facts/next-content.js';
import { ICP } from '#domain/facts/sections.js';
import type { Json } from '#domain/observation/observation.js';
import { looksLikeModel, readModel } from '#domain/score/read-model.js';
import { toIso } from '#domain/time/instant.js';

/** One version of a section, in an answer. */
export interface ShownVersion {
  readonly content: Json;
  readonly version: number;
  readonly updated_at: string;
  readonly source: string;
  readonly author: string | null;
  readonly note: string | null;
  /** Of the section `icp`: whether leads are scored by it. Prose is kept, and scores nothing. */
  readonly compiled?: boolean;
}

/** A section as it is, with the versions before it where they were asked for, the newest first. */
export interface ShownSection extends ShownVersion {
  readonly history?: readonly ShownVersion[];
}

/** The answer of GET /v2/workspace/facts. */
export interface WorkspaceFacts {
  readonly sections: Readonly<Record<string, ShownSection>>;
  /** The same as a flat list. */
  readonly facts: readonly Fact[];
  /** Facts in the list. */
  readonly count: number;
  /** How many facts there are of each category, whether listed or not. */
  readonly by_category: Readonly<Record<string, number>>;
  readonly limit: number;
  readonly has_more: boolean;
}

/** The answer of POST /v2/workspace/facts. */
export interface WrittenFact {
  readonly section: string;
  readonly version: number;
  readonly previous_version: number | null;
  readonly changed_paths: readonly string[];
  readonly created_at: string;
  /** Null in a dry run. */
  readonly fact: Fact | null;
  readonly mode: WriteMode;
  /** Whether there was a version before. */
  readonly superseded: boolean;
  /** See ShownVersion. */
  readonly compiled?: boolean;
  readonly dry_run?: true;
}

/** A version as it is shown. */
export function showVersion(version: SectionVersion): ShownVersion {
  const { content, version: number, source, author, note, createdAt } = version;
  return { content, version: number, updated_at: toIso(createdAt), source, author, note, ...compiledOf(version) };
}

/** Whether the section `icp` holds a model; nothing for the other sections. */
export function compiledOf({ section, content }: Pick<SectionVersion, 'section' | 'content'>): { compiled?: boolean } {
  return section === ICP ? { compiled: looksLikeModel(content) && readModel(content, 1).ok } : {};
}
