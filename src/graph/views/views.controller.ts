import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { validate as isUuid } from 'uuid';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller, Scopes } from '#kernel/auth/caller.guard.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { Operation, UuidParam } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import {
  CreateSavedView,
  DeletedSavedView,
  SavedView,
  SavedViewList,
  SavedViewsQuery,
  UpdateSavedView,
} from './views.dto.js';
import { MAX_VIEWS, type PresentedView, ViewsService } from './views.service.js';

const PROBLEMS =
  'Returns 400 for a query that the list refuses, and for a name that another view of the list has: two shared ones, or ' +
  'two of one owner, never have the same.';
const NOT_YOURS =
  'Returns 404 `not_found` for an unknown view and for a private one of somebody else, and 403 `forbidden_scope` for a ' +
  'shared one of somebody else without the scope `admin`.';

/** Endpoints for saved views of lists. */
@ApiTags('Views')
@Controller('v2/workspace/views')
export class ViewsController {
  constructor(private readonly views: ViewsService) {}

  /** Lists views. */
  @Get()
  @Operation({
    id: 'listViews',
    summary: 'List views',
    description:
      'Returns the saved views that the caller sees, by name: those that are shared, and their own. To read the rows of a ' +
      'view, send its `query` as the parameters of `GET /v2/people`, `GET /v2/companies` or `GET /v2/leads`.',
    response: { type: SavedViewList, description: 'The views.' },
  })
  async list(
    @CurrentCaller() caller: Caller,
    @Query() { resource }: SavedViewsQuery,
  ): Promise<{ views: PresentedView[] }> {
    return { views: await this.views.list(caller, resource) };
  }

  /** Saves a view. */
  @Post()
  @Scopes('write')
  @Operation({
    id: 'createView',
    summary: 'Save a view',
    description:
      'Saves search, filter, order and columns of a list under a name. The view belongs to the signed-in person or the API ' +
      `key, and only they see it unless it is shared. ${PROBLEMS} Returns 403 \`quota_exceeded\` beyond ${MAX_VIEWS} views.`,
    body: {
      type: CreateSavedView,
      example: {
        resource: 'people',
        name: 'VPs we may write to',
        query: { filter: '{"title":{"$contains":"vp","freshness":"fresh"}}', sort: 'name' },
        shared: true,
      },
    },
    status: 201,
    response: { type: SavedView, description: 'The view that was saved.' },
    isIdempotent: true,
  })
  create(
    @CurrentCaller() caller: Caller,
    @Body() { resource, name, query, shared = false }: CreateSavedView,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<PresentedView>> {
    return this.views.create(caller, { resource, name, query, shared }, key);
  }

  /** Changes a view. */
  @Patch(':id')
  @Scopes('write')
  @UuidParam('view')
  @Operation({
    id: 'updateView',
    summary: 'Change a view',
    description: `Changes the name, the query or the sharing of a view. What is left out stays. ${NOT_YOURS} ${PROBLEMS}`,
    body: { type: UpdateSavedView, example: { name: 'VPs in Berlin' } },
    response: { type: SavedView, description: 'The view after the change.' },
    isIdempotent: true,
  })
  update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { name, query, shared }: UpdateSavedView,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<PresentedView>> {
    if (name === undefined && query === undefined && shared === undefined)
      throw HubError.invalidField('body', 'The body must have name, query or shared.');
    return this.views.update(caller, requireViewId(id), { name, query, shared }, key);
  }

  /** Deletes a view. */
  @Delete(':id')
  @Scopes('write')
  @UuidParam('view')
  @Operation({
    id: 'deleteView',
    summary: 'Delete a view',
    description: `Deletes a view. The rows that it shows stay as they are. ${NOT_YOURS}`,
    response: { type: DeletedSavedView, description: 'Confirmation of the deletion.' },
    isIdempotent: true,
  })
  remove(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<{ id: string; deleted: true }>> {
    return this.views.remove(caller, requireViewId(id), key);
  }
}

function requireViewId(id: string): string {
  if (isUuid(id)) return id.toLowerCase();
  throw new HubError('not_found');
}
