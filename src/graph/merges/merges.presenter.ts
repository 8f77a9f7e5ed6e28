import type { LinkRow } from '../identity/links.queries.js';
import type { MergeProposal } from '../identity/proposals.queries.js';
import type { MergeEffects } from './merge-effects.queries.js';

/** The answer of a merge. */
export interface MergeResponse extends MergeEffects {
  readonly status: 'merged' | 'already_merged';
  /** Under which both are found from now on: of all that are one, the oldest. */
  readonly entity_id: string;
  /** The ids that resolve to it as well. */
  readonly merged_ids: readonly string[];
  /** The id that was an entity of its own before. */
  readonly dropped_id: string | null;
  readonly link_id: string | null;
  readonly dry_run: boolean;
}

/** The answer of an unmerge. */
export interface UnmergeResponse {
  readonly status: 'unmerged' | 'not_merged';
  /** Who there is now. */
  readonly entities: readonly { readonly entity_id: string; readonly merged_ids: readonly string[] }[];
  readonly links_retracted: readonly string[];
  readonly dry_run: boolean;
}

/** What was said about who an entity is. */
export interface EntityLinksResponse {
  readonly entity_id: string;
  readonly merged_ids: readonly string[];
  /** Newest first, also what was retracted. */
  readonly links: readonly (Omit<LinkRow, 'created_at' | 'retracted_at'> & {
    readonly created_at: string;
    readonly retracted_at: string | null;
  })[];
  /** Merges that are proposed and neither carried out nor declined. */
  readonly proposals: readonly (Omit<MergeProposal, 'created_at'> & { readonly created_at: string })[];
}

/** The answer of the account merge. */
export interface AccountsMergeResponse extends MergeEffects {
  readonly status: 'merged';
  readonly keep_id: string;
  readonly drop_id: string;
  readonly relationships_removed: number;
  readonly rows_repointed: Readonly<Record<string, number>>;
  readonly dry_run: boolean;
}
