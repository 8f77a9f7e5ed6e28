import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { Answered } from '#kernel/idempotency/answered.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { type Ambiguous, FinderService } from '../identity/finder.service.js';
import type { AccountsMerged } from './merges.js';
import { MergesService } from './merges.service.js';

/** Two accounts that are one. */
export interface AccountsMergeRequest {
  readonly keep: string;
  readonly drop: string;
  readonly dryRun: boolean;
}

/** A name in place of an identifier: the caller picks one of the candidates and asks again. */
export type AmbiguousSide = Ambiguous & { readonly which: 'keep' | 'drop' };

const sides = { a: 'keep', b: 'drop' } as const;

/** The merge in the words of accounts. */
@Injectable()
export class AccountsMergeService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly finder: FinderService,
    private readonly merges: MergesService,
  ) {}

  /**
   * Merges two accounts; a bare name is never picked from, and answered with candidates. Which id goes on does not
   * depend on the order of the two: it is the older one, so that merging twice in different orders ends the same.
   * @throws HubError `keep_and_drop_required`, `same_entity`, `entity_not_found` with `which`.
   */
  async merge(
    workspace: string,
    { keep, drop, dryRun }: AccountsMergeRequest,
    key?: IdempotencyKey,
  ): Promise<Answered<AccountsMerged | AmbiguousSide>> {
    if (keep.trim() === '' || drop.trim() === '') throw new HubError('keep_and_drop_required');
    const unclear = await this.ambiguous(workspace, { keep, drop });
    if (unclear) return new Answered(unclear, 200);
    const pair = { a: keep, b: drop, reason: 'accounts/merge', dryRun };
    const { body, status, replayed } = await this.merges.merge(workspace, pair, key).catch(inWordsOfAccounts);
    if (body.dropped_id === null) throw new HubError('same_entity');
    const { entity_id, dropped_id, merged_ids: _, link_id: __, status: ___, ...effects } = body;
    const ids = { keep_id: entity_id, drop_id: dropped_id };
    const shown = { status: 'merged' as const, ...ids, ...effects, relationships_removed: 0, rows_repointed: {} };
    return new Answered(shown, status, replayed);
  }

  private ambiguous(workspace: string, named: { keep: string; drop: string }): Promise<AmbiguousSide | undefined> {
    return this.work.run(workspace, async tx => {
      for (const which of ['keep', 'drop'] as const) {
        const candidates = await this.finder.candidates(tx, named[which]);
        if (candidates) return { ...candidates, which };
      }
      return undefined;
    });
  }
}

function inWordsOfAccounts(error: unknown): never {
  if (!(error instanceof HubError)) throw error;
  const side = sides[error.extra['which'] as 'a' | 'b'];
  throw side ? new HubError(error.code, { detail: error.detail, extra: { which: side } }) : error;
}
