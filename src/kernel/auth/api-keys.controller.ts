import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type Instant, toIso } from '#domain/time/instant.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { HandlerResponse } from '#kernel/http/handler-response.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { runOnce } from '#kernel/idempotency/idempotency-store.js';
import { toApiKeyDto } from './api-key.presenter.js';
import { ApiKeyList, CreateApiKey, CreatedApiKey, RevokedApiKey } from './api-keys.dto.js';
import { ApiKeysService } from './api-keys.service.js';
import type { Caller } from './caller.js';
import { CurrentCaller } from './current-caller.decorator.js';
import { ApiKeyCache } from './api-key.cache.js';
import { toCreateKeyInput } from './create-key.input.js';
import { Scopes } from './scopes.decorator.js';

/** Serves the API keys of the caller's workspace. */
@ApiTags('API keys')
@Controller('v2/api-keys')
@Scopes('admin')
export class ApiKeysController {
  constructor(
    private readonly work: UnitOfWork,
    private readonly keys: ApiKeysService,
    private readonly cache: ApiKeyCache,
  ) {}

  /** Lists the keys by prefix and last four characters. */
  @Get()
  @Operation({
    id: 'listApiKeys',
    summary: 'List API keys',
    description:
      'Returns the API keys of the workspace, newest first and at most 1000, including revoked and expired ' +
      'keys. The keys themselves are not stored: `prefix` and `last_four` identify them. Requires the scope ' +
      '`admin`.',
    response: { type: ApiKeyList, description: 'The API keys.' },
  })
  async list(@CurrentCaller() caller: Caller): Promise<ApiKeyList> {
    const keys = await this.work.run(caller.workspaceId, tx => this.keys.list(tx));
    return { api_keys: keys.map(toApiKeyDto) };
  }

  /** The stored response for replays has no `key`: a plain key is never written to the database. */
  @Post()
  @Operation({
    id: 'createApiKey',
    summary: 'Create an API key',
    description:
      'Creates an API key for this workspace. `key` is returned only in this response and cannot be read ' +
      'again. A key cannot grant a scope that the calling key lacks: 403 `forbidden_scope`. Requires the ' +
      'scope `admin`.',
    body: { type: CreateApiKey, example: { name: 'Enrichment agent', scopes: ['read', 'write'], expires_in_days: 90 } },
    status: 201,
    response: { type: CreatedApiKey, description: 'The new API key, including its secret.' },
    isIdempotent: true,
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateApiKey,
    @WithIdempotencyKey() idempotencyKey: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<CreatedApiKey>> {
    let plainKey = '';
    const response = await this.work.run(caller.workspaceId, tx =>
      runOnce(tx, idempotencyKey, async () => {
        const { apiKey, key } = await this.keys.create(tx, toCreateKeyInput(body, caller, await tx.now()));
        plainKey = key;
        return new HandlerResponse(toApiKeyDto(apiKey), 201);
      }),
    );
    return response.isReplay ? response : new HandlerResponse({ ...response.body, key: plainKey }, response.status);
  }

  /** Revocation is permanent and may be repeated. */
  @Delete(':id')
  @ApiParam({
    name: 'id',
    description: 'Unique identifier of the API key.',
    schema: { type: 'string', format: 'uuid' },
  })
  @Operation({
    id: 'revokeApiKey',
    summary: 'Revoke an API key',
    description:
      'Revokes an API key permanently; within 5 seconds it stops working everywhere. Revoking it again ' +
      'changes nothing. A key may revoke itself. Returns 404 `not_found` for an unknown key. Requires the ' +
      'scope `admin`.',
    response: { type: RevokedApiKey, description: 'The time at which the key was revoked.' },
    isIdempotent: true,
  })
  async revoke(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @WithIdempotencyKey() idempotencyKey: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<RevokedApiKey>> {
    const response = await this.work.run(caller.workspaceId, tx =>
      runOnce(tx, idempotencyKey, async () => {
        const key = await this.keys.revoke(tx, id);
        return new HandlerResponse(toRevokedApiKey(key.id, key.revokedAt ?? (await tx.now())), 200);
      }),
    );
    this.cache.markRevoked(response.body.id);
    return response;
  }
}

function toRevokedApiKey(id: string, since: Instant): RevokedApiKey {
  return { id, revoked: true, revoked_at: toIso(since) };
}
