import { toIso } from '#domain/time/instant.js';
import type { LinkRow } from '../identity/links.queries.js';
import type { MergeProposal } from '../identity/proposals.queries.js';
import type { MergeEffects } from './merge-effects.queries.js';

/** Response of a merge. */
export interface MergeResponse extends MergeEffects {
  readonly status: 'merged' | 'already_merged';
  /** Canonical id of both: the oldest entity of the cluster. */
  readonly entity_id: string;
  /** The other ids that resolve to it. */
  readonly merged_ids: readonly string[];
  /** The canonical id that was merged into the other; null if they were already merged. */
  readonly dropped_id: string | null;
  readonly link_id: string | null;
  readonly dry_run: boolean;
}

/** Response of an unmerge. */
export interface UnmergeResponse {
  readonly status: 'unmerged' | 'not_merged';
  /** The resulting entities. */
  readonly entities: readonly { readonly entity_id: string; readonly merged_ids: readonly string[] }[];
  readonly links_retracted: readonly string[];
  readonly dry_run: boolean;
}

/** A proposed merge with the names of both sides. */
export interface PresentedProposal extends Omit<MergeProposal, 'created_at'> {
  readonly entity_name: string | null;
  readonly other_entity_name: string | null;
  readonly created_at: string;
}

/** Presents proposals. @param names names by ID of the entity */
export function presentProposals(
  proposals: readonly MergeProposal[],
  names: ReadonlyMap<string, string>,
): PresentedProposal[] {
  return proposals.map(({ created_at, ...proposal }) => ({
    ...proposal,
    entity_name: names.get(proposal.entity_id) ?? null,
    other_entity_name: names.get(proposal.other_entity_id) ?? null,
    created_at: toIso(created_at),
  }));
}

/** The links and merge proposals of an entity. */
export interface EntityLinksResponse {
  readonly entity_id: string;
  readonly merged_ids: readonly string[];
  /** Newest first, including retracted ones. */
  readonly links: readonly (Omit<LinkRow, 'created_at' | 'retracted_at'> & {
    readonly created_at: string;
    readonly retracted_at: string | null;
  })[];
  /** Proposed merges that are neither carried out nor declined. */
  readonly proposals: readonly PresentedProposal[];
}

/** Response of an account merge. */
export interface AccountsMergeResponse extends MergeEffects {
  readonly status: 'merged';
  readonly keep_id: string;
  readonly drop_id: string;
  readonly relationships_removed: number;
  readonly rows_repointed: Readonly<Record<string, number>>;
  readonly dry_run: boolean;
}

/** A page of open merge proposals. */
export interface ProposalsResponse {
  readonly proposals: EntityLinksResponse['proposals'];
  readonly limit: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}
