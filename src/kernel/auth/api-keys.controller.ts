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
      'The API keys of the workspace, newest first, revoked and expired ones too; at most 1000. A key itself is kept ' +
      'nowhere: `prefix` and `last_four` tell which one it is. Needs the scope `admin`.',
    response: { type: ApiKeyList, description: 'The keys.' },
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
      'Makes a key of this workspace. `key` stands in this answer only and cannot be read again. A key can be given ' +
      'no scope that the calling one lacks. Needs the scope `admin`.',
    body: { type: CreateApiKey, example: { name: 'Enrichment agent', scopes: ['read', 'write'], expires_in_days: 90 } },
    status: 201,
    response: { type: CreatedApiKey, description: 'The key, this once.' },
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
  @ApiParam({ name: 'id', description: 'Id of the key.', schema: { type: 'string', format: 'uuid' } })
  @Operation({
    id: 'revokeApiKey',
    summary: 'Revoke an API key',
    description:
      'Ends a key for good, everywhere within 5 seconds. Revoking it again changes nothing. A key may revoke itself. ' +
      'Needs the scope `admin`.',
    response: { type: RevokedApiKey, description: 'Since when it is revoked.' },
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
