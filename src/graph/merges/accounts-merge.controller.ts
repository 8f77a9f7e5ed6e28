import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/handler-response.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { AccountsMergeService, type AmbiguousSide } from './accounts-merge.service.js';
import { toAccountsMergeInput, AccountsMergeResult, AmbiguousSideDto, MergeAccountsRequest } from './merges.dto.js';
import type { AccountsMergeResponse } from './merges.presenter.js';

/** The endpoint of the merge under its account name. */
@ApiTags('accounts')
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
