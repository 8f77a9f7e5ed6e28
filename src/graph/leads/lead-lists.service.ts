import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { toIso } from '#domain/time/instant.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import type { StoredLeadList } from './lead-list.entity.js';
import { createList, deleteList, readLists } from './lead-lists.queries.js';

/** A lead list in a response. */
export interface PresentedLeadList {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly source: string;
  readonly columns: readonly string[];
  readonly external_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly lead_count: number;
}

/** A page of lead lists. */
export interface LeadListsResponse {
  readonly lead_lists: readonly PresentedLeadList[];
  readonly limit: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** Name and origin of a new list. */
export interface LeadListInput {
  readonly name: string;
  readonly source: string;
  readonly externalId?: string;
}

/** Reads, creates and deletes lead lists. */
@Injectable()
export class LeadListsService {
  constructor(private readonly work: UnitOfWork) {}

  /** Returns lists, newest first. @throws HubError `cursor_mismatch`. */
  list(workspace: string, limit: number, cursor: string | undefined): Promise<LeadListsResponse> {
    const after = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString('latin1');
    if (after !== undefined && !isUuid(after)) throw new HubError('cursor_mismatch');
    return this.work.run(workspace, async tx => {
      const rows = await readLists(tx, limit + 1, after);
      const shown = rows.slice(0, limit).map(row => presentList(row, workspace));
      const hasMore = rows.length > limit;
      const next_cursor = hasMore ? Buffer.from(shown.at(-1)!.id, 'latin1').toString('base64url') : null;
      return { lead_lists: shown, limit, has_more: hasMore, next_cursor };
    });
  }

  /** Creates an empty list. Names need not be unique. */
  create(
    workspace: string,
    list: LeadListInput,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<{ lead_list: PresentedLeadList }>> {
    return this.work.run(workspace, tx =>
      runOnce(tx, key, async () => {
        const created = await createList(tx, list);
        return new HandlerResponse({ lead_list: presentList(created, workspace) }, 201);
      }),
    );
  }

  /** Deletes a list and its leads. The people and their facts are kept. @throws HubError `list_not_found`. */
  remove(workspace: string, id: string, key?: IdempotencyKey): Promise<HandlerResponse<{ deleted: true; id: string }>> {
    return this.work.run(workspace, tx =>
      runOnce(tx, key, async () => {
        if (!(await deleteList(tx, id))) throw new HubError('list_not_found');
        return new HandlerResponse({ deleted: true as const, id }, 200);
      }),
    );
  }
}

function presentList(list: StoredLeadList, workspaceId: string): PresentedLeadList {
  const { id, name, source, columns } = list;
  const times = { created_at: toIso(list.createdAt), updated_at: toIso(list.updatedAt) };
  const external_id = list.externalId ?? null;
  return { id, workspace_id: workspaceId, name, source, columns, external_id, ...times, lead_count: list.leadCount };
}
