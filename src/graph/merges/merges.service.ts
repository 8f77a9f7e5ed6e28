import { Injectable } from '@nestjs/common';
import { toIso } from '#domain/time/instant.js';
import { recordAct } from '#kernel/audit/audit-log.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork, runMaybeDry } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import { EntityResolverService, type AmbiguousName } from '../identity/entity-resolver.service.js';
import type { Owner } from '../identity/identifiers.queries.js';
import { lockMerges, readLinks, readMemberIds } from '../identity/links.queries.js';
import { LinksService, type EntityPair } from '../identity/links.service.js';
import { encodeListCursor, decodeListCursor, hashList } from '../lists/list-parameters.js';
import { readNames } from '../identity/names.queries.js';
import {
  listProposals,
  type MergeProposal,
  type ProposalPosition,
  readProposals,
} from '../identity/proposals.queries.js';
import { ClusterRebuilder } from '../observations/claim-rebuild.js';
import { countMergeEffects, type MergeEffects } from './merge-effects.queries.js';
import { MAX_PROPOSAL_PAGE } from './entity-links.dto.js';
import {
  type ProposalsResponse,
  type EntityLinksResponse,
  type MergeResponse,
  type UnmergeResponse,
  type AccountsMergeResponse,
  type PresentedProposal,
  presentProposals,
} from './merges.presenter.js';

/** A request to merge or unmerge two entities. */
export interface EntityPairInput {
  readonly a: string;
  readonly b: string;
  readonly reason?: string;
  /** Whether to return the effects without changing anything. */
  readonly dryRun: boolean;
}

/** Source of links that a caller of the API creates. */
const USER_SOURCE = 'user';

const DEFAULT_PROPOSAL_PAGE = 50;
/** Cursors of other lists do not fit this one. */
const PROPOSALS_HASH = hashList('proposals');

const NO_EFFECTS: MergeEffects = {
  identifiers_moved: 0,
  observations_moved: 0,
  claims_moved: 0,
  claims_conflicted: 0,
  relationships_repointed: 0,
};

/** Merges and unmerges entities. */
@Injectable()
export class MergesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entities: EntityResolverService,
    private readonly links: LinksService,
    private readonly rebuilder: ClusterRebuilder,
  ) {}

  /**
   * Merges two entities. Rewrites no observations: appends a link and folds claims over both.
   * @throws HubError `same_entity`, `merge_impossible`, `entity_not_found` with `which`, `invalid_focus`.
   */
  merge(workspace: string, request: EntityPairInput, key?: IdempotencyKey): Promise<HandlerResponse<MergeResponse>> {
    return runMaybeDry(this.work, workspace, request.dryRun, tx =>
      runOnce(tx, key, async () => new HandlerResponse(await this.mergePair(tx, request), 200)),
    );
  }

  /**
   * Unmerges two entities and records that they are distinct. Each gets back the observations and claims it had.
   * @throws HubError `same_entity`, `entity_not_found` with `which`, `invalid_focus`.
   */
  unmerge(
    workspace: string,
    request: EntityPairInput,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<UnmergeResponse>> {
    return runMaybeDry(this.work, workspace, request.dryRun, tx =>
      runOnce(tx, key, async () => new HandlerResponse(await this.unmergePair(tx, request), 200)),
    );
  }

  /** Returns the links and merge proposals of an entity. @throws HubError `entity_not_found`. */
  readLinks(workspace: string, id: string): Promise<EntityLinksResponse> {
    return this.work.run(workspace, async tx => {
      const { canonicalId } = await this.entities.resolveOwner(tx, id);
      const members = await readMemberIds(tx, canonicalId);
      const [links, proposals] = await Promise.all([readLinks(tx, members), readProposals(tx, members)]);
      return {
        entity_id: canonicalId,
        merged_ids: members.slice(1),
        links: links.map(link => ({
          ...link,
          created_at: toIso(link.created_at),
          retracted_at: link.retracted_at === null ? null : toIso(link.retracted_at),
        })),
        proposals: await this.presentProposals(tx, proposals),
      };
    });
  }

  /** Returns a page of the open merge proposals of a workspace, newest first. @throws HubError `cursor_mismatch`. */
  async listProposals(
    workspace: string,
    page: { readonly limit?: number; readonly cursor?: string },
  ): Promise<ProposalsResponse> {
    const limit = Math.min(page.limit ?? DEFAULT_PROPOSAL_PAGE, MAX_PROPOSAL_PAGE);
    const after = page.cursor === undefined ? undefined : parseProposalPosition(page.cursor);
    const { rows, proposals } = await this.work.run(workspace, async tx => {
      const found = await listProposals(tx, limit + 1, after);
      const shown = found.slice(0, limit).map(({ proposal }) => proposal);
      return { rows: found, proposals: await this.presentProposals(tx, shown) };
    });
    const last = rows[limit - 1];
    const hasMore = rows.length > limit;
    const next =
      hasMore && last ? { values: [last.proposal.created_at, last.proposal.key], id: last.statedFor } : undefined;
    return {
      proposals,
      limit,
      has_more: hasMore,
      next_cursor: next ? encodeListCursor(next, PROPOSALS_HASH) : null,
    };
  }

  private async presentProposals(tx: Tx, proposals: readonly MergeProposal[]): Promise<PresentedProposal[]> {
    const ids = proposals.flatMap(({ entity_id, other_entity_id }) => [entity_id, other_entity_id]);
    return presentProposals(proposals, await readNames(tx, [...new Set(ids)]));
  }

  private async mergePair(tx: Tx, request: EntityPairInput): Promise<MergeResponse> {
    const pair = await this.resolvePair(tx, request);
    const { a, b } = pair;
    if (a.canonicalId === b.canonicalId) {
      const [entityId, ...mergedIds] = await readMemberIds(tx, a.canonicalId);
      const unchanged = { entity_id: entityId!, merged_ids: mergedIds, dropped_id: null, link_id: null, ...NO_EFFECTS };
      return { status: 'already_merged', ...unchanged, dry_run: request.dryRun };
    }
    const members = await this.links.lockMembers(tx, [a, b]);
    const oldest = members.toSorted((x, y) => x.createdAt - y.createdAt || (x.id < y.id ? -1 : 1))[0]!.canonicalId;
    const gone = oldest === a.canonicalId ? b.canonicalId : a.canonicalId;
    const leaving = members.filter(member => member.canonicalId === gone).map(({ id }) => id);
    const effects = await countMergeEffects(tx, oldest, gone, leaving);
    const { clusters, linkIds } = (await this.links.merge(tx, pair))!;
    await this.rebuilder.rebuild(tx, clusters);
    const [entityId, ...mergedIds] = clusters[0]!;
    tx.emit({ type: 'entity.merged', payload: { entity_id: entityId, merged_ids: mergedIds, link_id: linkIds[0] } });
    recordAct(tx, {
      action: 'entity.merge',
      objectId: entityId!,
      after: { merged_ids: mergedIds, link_id: linkIds[0] },
    });
    const merged = { entity_id: entityId!, merged_ids: mergedIds, dropped_id: gone, link_id: linkIds[0]!, ...effects };
    return { status: 'merged', ...merged, dry_run: request.dryRun };
  }

  private async unmergePair(tx: Tx, request: EntityPairInput): Promise<UnmergeResponse> {
    const pair = await this.resolvePair(tx, request);
    const parted = await this.links.unmerge(tx, pair);
    if (parted) await this.rebuilder.rebuild(tx, parted.clusters);
    const clusters = parted?.clusters ?? [
      await readMemberIds(tx, pair.a.canonicalId),
      await readMemberIds(tx, pair.b.canonicalId),
    ];
    const entities = clusters.map(([id, ...merged]) => ({ entity_id: id!, merged_ids: merged }));
    if (parted) {
      tx.emit({ type: 'entity.unmerged', payload: { entities, link_ids: parted.linkIds } });
      recordAct(tx, { action: 'entity.unmerge', objectId: pair.a.id, after: { entities, link_ids: parted.linkIds } });
    }
    const status = parted ? 'unmerged' : 'not_merged';
    return { status, entities, links_retracted: [...(parted?.linkIds ?? [])], dry_run: request.dryRun };
  }

  private async resolvePair(tx: Tx, { a, b, reason }: EntityPairInput): Promise<EntityPair> {
    await lockMerges(tx);
    const [one, other] = [await this.resolveOwner(tx, a, 'a'), await this.resolveOwner(tx, b, 'b')];
    if (one.id === other.id) throw new HubError('same_entity');
    return { a: one, b: other, source: USER_SOURCE, reason };
  }

  /** Resolves one side; a not-found error names the side. */
  private async resolveOwner(tx: Tx, text: string, which: string): Promise<Owner> {
    return this.entities.resolveOwner(tx, text).catch((error: unknown) => {
      if (error instanceof HubError) throw new HubError(error.code, { detail: error.detail, extra: { which } });
      throw error;
    });
  }
}

function parseProposalPosition(cursor: string): ProposalPosition {
  const { values, id } = decodeListCursor(cursor, PROPOSALS_HASH, ['timestamptz', 'text']);
  const [at, key] = values;
  if (typeof at !== 'number' || typeof key !== 'string') throw new HubError('cursor_mismatch');
  return { at, entityId: id, key };
}

/** A request to merge two accounts. */
export interface AccountsMergeInput {
  readonly keep: string;
  readonly drop: string;
  readonly dryRun: boolean;
}

/** An ambiguous name: the caller picks one of the candidates and calls again. */
export type AmbiguousSide = AmbiguousName & { readonly which: 'keep' | 'drop' };

const SIDES = { a: 'keep', b: 'drop' } as const;

/** Merges accounts, with `keep` and `drop` in place of `a` and `b`. */
@Injectable()
export class AccountsMergeService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entities: EntityResolverService,
    private readonly merges: MergesService,
  ) {}

  /**
   * Merges two accounts. Returns the candidates of a bare name instead. The older entity keeps its id, whichever is
   * `keep`, so that merging in any order gives the same result.
   * @throws HubError `keep_and_drop_required`, `same_entity`, `entity_not_found` with `which`.
   */
  async merge(
    workspace: string,
    { keep, drop, dryRun }: AccountsMergeInput,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<AccountsMergeResponse | AmbiguousSide>> {
    if (keep.trim() === '' || drop.trim() === '') throw new HubError('keep_and_drop_required');
    const unclear = await this.findAmbiguous(workspace, { keep, drop });
    if (unclear) return new HandlerResponse(unclear, 200);
    const pair = { a: keep, b: drop, reason: 'accounts/merge', dryRun };
    const { body, status, isReplay } = await this.merges.merge(workspace, pair, key).catch(toAccountsError);
    if (body.dropped_id === null) throw new HubError('same_entity');
    const { entity_id, dropped_id, merged_ids: _, link_id: __, status: ___, ...effects } = body;
    const ids = { keep_id: entity_id, drop_id: dropped_id };
    const shown = { status: 'merged' as const, ...ids, ...effects, relationships_removed: 0, rows_repointed: {} };
    return new HandlerResponse(shown, status, isReplay);
  }

  private findAmbiguous(workspace: string, named: { keep: string; drop: string }): Promise<AmbiguousSide | undefined> {
    return this.work.run(workspace, async tx => {
      for (const which of ['keep', 'drop'] as const) {
        const candidates = await this.entities.findCandidates(tx, named[which]);
        if (candidates) return { ...candidates, which };
      }
      return undefined;
    });
  }
}

function toAccountsError(error: unknown): never {
  if (!(error instanceof HubError)) throw error;
  const side = SIDES[error.extra['which'] as 'a' | 'b'];
  throw side ? new HubError(error.code, { detail: error.detail, extra: { which: side } }) : error;
}
