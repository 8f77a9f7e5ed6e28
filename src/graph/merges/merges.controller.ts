import { Body, Controller, Post, Get, Param, Query } from '@nestjs/common';
import { ApiTags, ApiParam } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { AccountsMergeService, type AmbiguousSide, MergesService } from './merges.service.js';
import {
  toAccountsMergeInput,
  AccountsMergeResult,
  AmbiguousSideDto,
  MergeAccountsRequest,
  EntityLinks,
  EntityPairRequest,
  MergeResult,
  toEntityPairInput,
  UnmergeResult,
} from './merges.dto.js';
import { ProposalPage, ProposalsQuery } from './entity-links.dto.js';
import type {
  ProposalsResponse,
  AccountsMergeResponse,
  EntityLinksResponse,
  MergeResponse,
  UnmergeResponse,
} from './merges.presenter.js';

/** The endpoint of the merge under its account name. */
@ApiTags('Accounts')
@Controller('v2/accounts')
export class AccountsMergeController {
  constructor(private readonly accounts: AccountsMergeService) {}

  /** Merges two accounts, as POST /v2/entities/merge does. */
  @Post('merge')
  @Operation({
    id: 'mergeAccounts',
    summary: 'Merge two accounts',
    description:
      'Merges two entities like `POST /v2/entities/merge`, with the field names of older clients. The older ' +
      'entity stays, whichever is sent as `keep`; read `keep_id`. If a name matches more than one entity, ' +
      'the response has `status: "ambiguous"`, names the field in `which`, and lists `candidates`.',
    response: {
      type: AccountsMergeResult,
      alternatives: [AmbiguousSideDto],
      description: 'The effects of the merge, or the candidates of an ambiguous name.',
    },
    isIdempotent: true,
  })
  merge(
    @CurrentCaller() { workspaceId }: Caller,
    @Body() body: MergeAccountsRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<AccountsMergeResponse | AmbiguousSide>> {
    return this.accounts.merge(workspaceId, toAccountsMergeInput(body), key);
  }
}

/** Endpoints that merge and unmerge entities. */
@ApiTags('Entities')
@Controller('v2/entities')
export class MergesController {
  constructor(private readonly merges: MergesService) {}

  /** Appends a link that states the two are the same. */
  @Post('merge')
  @Operation({
    id: 'mergeEntities',
    summary: 'Merge two entities',
    description:
      'Merges two entities that are the same person or company. Observations are kept, and claims are ' +
      'derived from both under the older ID. Afterwards every ID and identifier of both resolves to the ' +
      'merged entity. `do_not_contact` is preserved. Undo it with `POST /v2/entities/unmerge`. Returns 404 ' +
      '`entity_not_found` for an unknown identifier, and 400 `merge_impossible` for a person and a company ' +
      'or `same_entity` if both are the same identifier.',
    response: { type: MergeResult, description: 'The merged entity and the effects of the merge.' },
    isIdempotent: true,
  })
  merge(
    @CurrentCaller() { workspaceId }: Caller,
    @Body() body: EntityPairRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<MergeResponse>> {
    return this.merges.merge(workspaceId, toEntityPairInput(body), key);
  }

  /** Retracts links and states that the two are distinct. */
  @Post('unmerge')
  @Operation({
    id: 'unmergeEntities',
    summary: 'Unmerge two entities',
    description:
      'Undoes a merge, and records that the two are different so that no rule merges them again. Only `POST ' +
      '/v2/entities/merge` can merge them afterwards. For two separate entities it declines a proposed ' +
      'merge. Returns 404 `entity_not_found` for an unknown identifier.',
    response: { type: UnmergeResult, description: 'The separate entities.' },
    isIdempotent: true,
  })
  unmerge(
    @CurrentCaller() { workspaceId }: Caller,
    @Body() body: EntityPairRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<UnmergeResponse>> {
    return this.merges.unmerge(workspaceId, toEntityPairInput(body), key);
  }

  /** Lists the open merge proposals of the workspace. */
  @Get('proposals')
  @Operation({
    id: 'listMergeProposals',
    summary: 'List merge proposals',
    description:
      'Returns pairs of entities that may be the same and await a decision, newest first: an identifier of one was ' +
      'stated for the other and `guards` stood against a merge, or the two are like each other (`kind: "likeness"`, ' +
      'with `score` and `parts`). Nothing of this list is merged automatically. Accept a proposal with `POST ' +
      '/v2/entities/merge`, decline it for good with `POST /v2/entities/unmerge`; each of them undoes the other. ' +
      'Likeness is computed in the background, so a new pair appears within minutes.',
    response: { type: ProposalPage, description: 'A page of open proposals.' },
  })
  listProposals(@CurrentCaller() { workspaceId }: Caller, @Query() query: ProposalsQuery): Promise<ProposalsResponse> {
    return this.merges.listProposals(workspaceId, query);
  }

  /** Lists the links of an entity. */
  @Get(':id/links')
  @Operation({
    id: 'listEntityLinks',
    summary: 'List merge decisions of an entity',
    description:
      'Returns the decisions that this entity is, or is not, the same as another, newest first and ' +
      'including retracted ones, and the open merge proposals. At most 1000 of each. Returns 404 ' +
      '`entity_not_found` for an unknown identifier.',
    response: { type: EntityLinks, description: 'Links and open proposals.' },
  })
  @ApiParam({
    name: 'id',
    description: 'Entity UUID, e-mail address, domain or LinkedIn URL.',
    schema: { type: 'string', maxLength: 320, example: 'ada@acme.com' },
  })
  listLinks(@CurrentCaller() { workspaceId }: Caller, @Param('id') id: string): Promise<EntityLinksResponse> {
    return this.merges.readLinks(workspaceId, id);
  }
}
