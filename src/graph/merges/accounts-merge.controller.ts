import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { HandlerResponse } from '#kernel/http/handler-response.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { AccountsMergeService, type AmbiguousSide } from './accounts-merge.service.js';
import { toAccountsMergeInput, AccountsMergeResult, MergeAccountsRequest } from './merges.dto.js';
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
      'The same as `POST /v2/entities/merge`, in other words. The older of the two goes on, whichever is `keep`; read ' +
      '`keep_id`. A name is answered with `status: "ambiguous"`, `which` of the two it is, and `candidates`.',
    response: { type: AccountsMergeResult, description: 'What was brought together, or the candidates of a name.' },
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
