import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/handler-response.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { type AmbiguousName, EntityResolverService } from '../identity/entity-resolver.service.js';
import type { AccountsMergeResponse } from './merges.presenter.js';
import { MergesService } from './merges.service.js';

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
