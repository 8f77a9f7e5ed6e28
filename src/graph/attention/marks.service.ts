import { Injectable } from '@nestjs/common';
import { type AttentionMark, parseItemId, toMarkId } from '#domain/attention/attention-mark.js';
import { DAY_US, type Instant } from '#domain/time/instant.js';
import type { Caller } from '#kernel/auth/caller.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import { presentMark, type PresentedMark } from './attention.presenter.js';
import { deleteMark, writeMark } from './marks.queries.js';

/** An item may be put off for so long at most. */
const MAX_SNOOZE_DAYS = 366;

/** Response of taking a mark back. */
export interface ReopenedResponse {
  readonly id: string;
  readonly state: 'open';
}

/** Puts items of the attention list off, or marks them as done, for the whole workspace. */
@Injectable()
export class AttentionMarksService {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Puts an item off.
   * @throws HubError `invalid_request` for a time that is past or more than a year ahead, or what is no ID of an item;
   * `not_found`.
   */
  snooze(caller: Caller, id: string, until: Instant, key?: IdempotencyKey): Promise<HandlerResponse<PresentedMark>> {
    return this.mark(caller, id, { state: 'snoozed', until, note: null }, key);
  }

  /** Marks an item as done. @throws HubError as {@link snooze}. */
  finish(
    caller: Caller,
    id: string,
    note: string | null,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<PresentedMark>> {
    return this.mark(caller, id, { state: 'done', until: null, note }, key);
  }

  /** Takes a mark back. @throws HubError `not_found` if the item has no such mark. */
  reopen(
    { workspaceId }: Caller,
    id: string,
    state: AttentionMark['state'],
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<ReopenedResponse>> {
    return this.work.run(workspaceId, tx =>
      runOnce(tx, key, async () => {
        if (!(await deleteMark(tx, toMarkId(id), state))) throw new HubError('not_found');
        return new HandlerResponse({ id, state: 'open' as const }, 200);
      }),
    );
  }

  private mark(
    { workspaceId, actor }: Caller,
    itemId: string,
    mark: Pick<AttentionMark, 'state' | 'until' | 'note'>,
    key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<PresentedMark>> {
    const item = parseItemId(itemId);
    if (!item) throw HubError.invalidRequest([{ field: 'id', message: 'id must be the `id` of an attention item.' }]);
    return this.work.run(workspaceId, tx =>
      runOnce(tx, key, async () => {
        checkSnooze(mark.until, await tx.now());
        const stored = await writeMark(tx, {
          ...mark,
          itemId: toMarkId(itemId),
          entityId: item.entityId,
          markedBy: actor,
        });
        if (!stored) throw new HubError('not_found');
        return new HandlerResponse(presentMark(itemId, stored), 200);
      }),
    );
  }
}

function checkSnooze(until: Instant | null, now: Instant): void {
  if (until === null || (until > now && until <= now + MAX_SNOOZE_DAYS * DAY_US)) return;
  const message = `until must lie in the future, at most ${MAX_SNOOZE_DAYS} days ahead.`;
  throw HubError.invalidRequest([{ field: 'until', message }]);
}
