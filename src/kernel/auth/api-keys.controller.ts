import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { toIso } from '#domain/time/instant.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { HandlerResponse } from '../http/response.hook.js';
import { type IdempotencyKey, WithIdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import { toApiKeyDto } from './api-key.entity.js';
import { ApiKeyList, CreateApiKey, CreatedApiKey, RevokedApiKey, RotateApiKey, RotatedApiKey } from './api-keys.dto.js';
import { ApiKeysQuery, MAX_LISTED_KEYS, RevokeApiKeyQuery } from './api-keys-query.dto.js';
import { ApiKeysService, MAX_LIVING_KEYS, type RevokedKey, toCreateKeyInput } from './api-keys.service.js';
import type { Caller } from './caller.js';
import { CurrentCaller, Scopes } from './caller.guard.js';
import { ApiKeyCache } from './api-key.lookup.js';

const KEY_ID = {
  name: 'id',
  description: 'Unique identifier of the API key.',
  schema: { type: 'string', format: 'uuid' },
};
const DEFAULT_GRACE_HOURS = 24;

/** Serves the API keys of the caller's workspace. */
@ApiTags('API keys')
@Controller('v2/api-keys')
@Scopes('settings')
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
      'Returns the API keys of the workspace that are active, or with `state` those that are expired or revoked, ' +
      'newest first. The keys themselves are not stored: `prefix` and `last_four` identify them. Requires the scope ' +
      '`settings`.',
    response: { type: ApiKeyList, description: 'A page of API keys.' },
  })
  async list(
    @CurrentCaller() { workspaceId }: Caller,
    @Query() { state = 'active', limit: wanted = 100, cursor }: ApiKeysQuery,
  ): Promise<ApiKeyList> {
    const limit = Math.min(wanted, MAX_LISTED_KEYS);
    const { keys, nextCursor } = await this.work.run(workspaceId, tx => this.keys.list(tx, { state, limit, cursor }));
    return { api_keys: keys.map(toApiKeyDto), limit, has_more: nextCursor !== null, next_cursor: nextCursor };
  }

  /** The stored response for replays has no `key`: a plain key is never written to the database. */
  @Post()
  @Operation({
    id: 'createApiKey',
    summary: 'Create an API key',
    description:
      'Creates an API key for this workspace. `key` is returned only in this response and cannot be read ' +
      'again. A key cannot grant a scope that the calling key lacks: 403 `forbidden_scope`. It cannot outlive the ' +
      'calling key: a later expiry is refused with 400. A workspace has at most ' +
      `${MAX_LIVING_KEYS} keys that are neither revoked nor expired: 403 \`quota_exceeded\`. Requires the scope ` +
      '`settings`.',
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

  /** The stored response for replays has no `key`, as for a new one. */
  @Post(':id/rotate')
  @ApiParam(KEY_ID)
  @Operation({
    id: 'rotateApiKey',
    summary: 'Rotate an API key',
    description:
      'Issues a key that takes the place of another one, with its name, scopes, creator and expiry; `key` is returned ' +
      'only in this response. The previous key works for `grace_hours` more, so that programs can be given the new one ' +
      'without a pause; keys that it created stay as they are. A key may rotate itself; for others the rules of ' +
      '`DELETE` apply, and the calling key must have their scopes: 403 `forbidden_scope`. Returns 404 `not_found` for a ' +
      'key that was revoked or has expired. Requires the scope `settings`.',
    body: { type: RotateApiKey, example: { grace_hours: 24 } },
    status: 201,
    response: { type: RotatedApiKey, description: 'The new API key, including its secret, and the previous one.' },
    isIdempotent: true,
  })
  async rotate(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() { grace_hours: graceHours = DEFAULT_GRACE_HOURS }: RotateApiKey,
    @WithIdempotencyKey() idempotencyKey: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<RotatedApiKey>> {
    let plainKey = '';
    const response = await this.work.run(caller.workspaceId, tx =>
      runOnce(tx, idempotencyKey, async () => {
        const { apiKey, key, previous } = await this.keys.rotate(tx, id, caller, graceHours);
        plainKey = key;
        const worksUntil = toIso((previous.revokedAt ?? previous.expiresAt)!);
        return new HandlerResponse(
          { ...toApiKeyDto(apiKey), previous: { id: previous.id, works_until: worksUntil } },
          201,
        );
      }),
    );
    if (graceHours === 0) this.cache.markRevoked(response.body.previous.id);
    return response.isReplay ? response : new HandlerResponse({ ...response.body, key: plainKey }, response.status);
  }

  /** Revocation is permanent and may be repeated. */
  @Delete(':id')
  @ApiParam(KEY_ID)
  @Operation({
    id: 'revokeApiKey',
    summary: 'Revoke an API key',
    description:
      'Revokes an API key permanently; within 5 seconds it stops working everywhere. Revoking it again ' +
      'changes nothing. With `descendants=true` the keys that it created or approved are revoked as well, and ' +
      'those that they did. A key may revoke itself. A key of the operator can be revoked by no other key of the ' +
      'workspace: 403 `operator_key`; one with the scope `admin` only by keys with that scope. Returns 404 ' +
      '`not_found` for an unknown key. Requires the scope `settings`.',
    response: { type: RevokedApiKey, description: 'The time of the revocation, and what was revoked with it.' },
    isIdempotent: true,
  })
  async revoke(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() { descendants }: RevokeApiKeyQuery,
    @WithIdempotencyKey() idempotencyKey: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<RevokedApiKey>> {
    const response = await this.work.run(caller.workspaceId, tx =>
      runOnce(tx, idempotencyKey, async () => {
        const revoked = await this.keys.revoke(tx, id, { caller, withDescendants: descendants === 'true' });
        return new HandlerResponse(toRevokedApiKey(revoked), 200);
      }),
    );
    const { body } = response;
    for (const revokedId of [body.id, ...body.descendants]) this.cache.markRevoked(revokedId);
    return response;
  }
}

function toRevokedApiKey({ id, revokedAt, descendants }: RevokedKey): RevokedApiKey {
  return { id, revoked: true, revoked_at: toIso(revokedAt), descendants: [...descendants] };
}
