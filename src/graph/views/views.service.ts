import { Injectable } from '@nestjs/common';
import type { Actor } from '#domain/actor/actor.js';
import { toIso } from '#domain/time/instant.js';
import { recordAct } from '#kernel/audit/audit-log.js';
import type { Caller } from '#kernel/auth/caller.js';
import { findViolatedConstraint } from '#kernel/db/database-errors.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import { newId } from '#kernel/ids.js';
import { companyListFields } from '../companies/companies.source.js';
import { leadListFields } from '../leads/leads.source.js';
import { type ListFields, readListRequest } from '../lists/list-request.js';
import { requireKnownNames } from '../lists/row-page.js';
import { peopleListFields } from '../people/people.source.js';
import { SavedViewEntity, type StoredView, type ViewQuery, type ViewResource } from './saved-view.entity.js';

/** Maximum number of views of a workspace. */
export const MAX_VIEWS = 500;

const LISTS: Readonly<Record<ViewResource, ListFields>> = {
  people: peopleListFields,
  companies: companyListFields,
  leads: leadListFields,
};

/** What a caller states about a view. */
export interface ViewInput {
  readonly resource: ViewResource;
  readonly name: string;
  readonly query: ViewQuery;
  readonly shared: boolean;
}

/** A view in a response. */
export interface PresentedView extends ViewInput {
  readonly id: string;
  readonly owner: Actor;
  readonly can_change: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

/**
 * Saves the conditions, order and columns of a list under a name. A view belongs to the person or the API key that saved
 * it. Others see it when it is shared; its owner and admins can change it.
 */
@Injectable()
export class ViewsService {
  constructor(private readonly work: UnitOfWork) {}

  /** Returns the views that a caller sees, by name: shared ones and their own. */
  list(caller: Caller, resource: ViewResource | undefined): Promise<PresentedView[]> {
    return this.work.run(caller.workspaceId, async tx => {
      const em = await tx.entityManager();
      const where = { ...visibleTo(caller), ...(resource !== undefined && { resource }) };
      const rows = await em.find(SavedViewEntity, where, { orderBy: { name: 'asc', id: 'asc' } });
      return rows.map(row => presentView(row, caller));
    });
  }

  /**
   * Saves a view.
   * @throws HubError `invalid_request` for a query that the list refuses, or a name that is taken; `quota_exceeded`
   */
  create(caller: Caller, input: ViewInput, key?: IdempotencyKey): Promise<HandlerResponse<PresentedView>> {
    return this.write(caller, key, async tx => {
      await checkQuery(tx, input);
      const em = await tx.entityManager();
      const count = await em.count(SavedViewEntity, { workspaceId: tx.workspace });
      if (count >= MAX_VIEWS) throw HubError.quotaExceeded('views', MAX_VIEWS, count);
      const { resource, name, query, shared: isShared } = input;
      const now = await tx.now();
      const view = em.create(SavedViewEntity, {
        workspaceId: tx.workspace,
        id: newId(),
        resource,
        name,
        query,
        isShared,
        ownerKind: caller.actor.kind,
        ownerId: caller.actor.id,
        createdAt: now,
        updatedAt: now,
      });
      await em.persist(view).flush();
      recordAct(tx, { action: 'view.create', objectId: view.id });
      return new HandlerResponse(presentView(view, caller), 201);
    });
  }

  /**
   * Changes a view.
   * @throws HubError `not_found`, also for a private view of somebody else; `forbidden_scope`; otherwise as {@link create}
   */
  update(
    caller: Caller,
    id: string,
    change: Partial<Omit<ViewInput, 'resource'>>,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<PresentedView>> {
    return this.write(caller, key, async tx => {
      const view = await findChangeable(tx, caller, id);
      const { name = view.name, query = view.query, shared: isShared = view.isShared } = change;
      // A view whose property nobody states any more can still be renamed, shared and hidden.
      if (change.query) await checkQuery(tx, { resource: view.resource, query });
      const em = await tx.entityManager();
      em.assign(view, { name, query, isShared, updatedAt: await tx.now() });
      await em.flush();
      recordAct(tx, { action: 'view.change', objectId: id });
      return new HandlerResponse(presentView(view, caller), 200);
    });
  }

  /** Deletes a view. @throws HubError `not_found`, `forbidden_scope`, as {@link update} */
  remove(caller: Caller, id: string, key?: IdempotencyKey): Promise<HandlerResponse<{ id: string; deleted: true }>> {
    return this.write(caller, key, async tx => {
      const view = await findChangeable(tx, caller, id);
      await (await tx.entityManager()).remove(view).flush();
      recordAct(tx, { action: 'view.delete', objectId: id });
      return new HandlerResponse({ id, deleted: true as const }, 200);
    });
  }

  private async write<Body>(
    { workspaceId }: Caller,
    key: IdempotencyKey | undefined,
    change: (tx: Tx) => Promise<HandlerResponse<Body>>,
  ): Promise<HandlerResponse<Body>> {
    try {
      return await this.work.run(workspaceId, tx => runOnce(tx, key, () => change(tx)));
    } catch (error) {
      // Two callers may take a name at the same time, so the index decides.
      if (!findViolatedConstraint(error)?.startsWith('saved_views_')) throw error;
      throw HubError.invalidField('name', 'name is taken by another view of this list. Choose another name.');
    }
  }
}

/** The views that a caller sees. */
function visibleTo({ workspaceId, actor }: Caller) {
  return { workspaceId, $or: [{ isShared: true }, { ownerKind: actor.kind, ownerId: actor.id }] };
}

async function findChangeable(tx: Tx, caller: Caller, id: string): Promise<StoredView> {
  const em = await tx.entityManager();
  const view = await em.findOne(SavedViewEntity, { ...visibleTo(caller), id });
  if (!view) throw new HubError('not_found');
  if (!mayChange(caller, view)) throw HubError.missingScope('admin', 'Changing a view that somebody else shared');
  return view;
}

function mayChange({ actor, scopes }: Caller, { ownerKind, ownerId, isShared }: StoredView): boolean {
  return (ownerKind === actor.kind && ownerId === actor.id) || (isShared && scopes.includes('admin'));
}

/** Checks a query as its list does, so that a saved view can always be read. */
async function checkQuery(tx: Tx, { resource, query }: Pick<ViewInput, 'resource' | 'query'>): Promise<void> {
  if (query.list_id !== undefined && resource !== 'leads')
    throw HubError.invalidField('query.list_id', 'query.list_id is for views of leads. Leave it out.');
  const listFields = LISTS[resource];
  await requireKnownNames(tx, listFields, readListRequest(listFields, { ...query }, await tx.now()));
}

function presentView(view: StoredView, caller: Caller): PresentedView {
  const { id, resource, name, query, isShared: shared, ownerKind: kind, ownerId, createdAt, updatedAt } = view;
  return {
    id,
    resource,
    name,
    query,
    shared,
    owner: { kind, id: ownerId },
    can_change: mayChange(caller, view),
    created_at: toIso(createdAt),
    updated_at: toIso(updatedAt),
  };
}
