import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Scopes } from '#kernel/auth/scopes.decorator.js';
import type { HandlerResponse } from '#kernel/http/handler-response.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { EntityIdParam } from '#kernel/http/openapi/path-params.decorators.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { EraseRequest, Erasure } from './erasures.dto.js';
import type { ErasureResponse } from './erasures.presenter.js';
import { ErasuresService } from './erasures.service.js';

/** Endpoints that erase a person and show how far the erasure is. */
@ApiTags('erasures')
@Controller('v2/people/:id/erase')
@Scopes('admin')
export class PersonErasureController {
  constructor(private readonly erasures: ErasuresService) {}

  /** Erases a person. */
  @Post()
  @EntityIdParam('Entity UUID, e-mail address or LinkedIn URL of the person. A bare name is refused.')
  @Operation({
    id: 'erasePerson',
    summary: 'Erase a person',
    description:
      'Erases all personal data of a person, under all of their IDs. Identifiers and claims are deleted before the ' +
      'response; a job then removes observations, notes, search index, leads, mentions in records about others, ' +
      'stored responses, webhooks, deliveries and plugin storage, in two passes, within an hour. The ID stays valid: ' +
      'reads return 410 `entity_erased`. Events keep their type, source and time, so that counts stay right. Later ' +
      'writes with an identifier of the person return 409 `identifier_erased`, unless `allow_reimport` is set. ' +
      'Cannot be undone; use `dry_run` first. A repeated call returns the existing erasure with status 200. Returns ' +
      '400 `not_a_person` for a company and 404 `entity_not_found` for an unknown identifier. Requires the scope ' +
      '`admin`.',
    body: { type: EraseRequest, example: { allow_reimport: false } },
    response: { type: Erasure, description: 'The erasure, which has begun.' },
    status: 202,
    existingDescription: 'The existing erasure, or the result of a dry run.',
    isIdempotent: true,
  })
  erase(
    @CurrentCaller() { workspaceId, actor }: Caller,
    @Param('id') focus: string,
    @Body() { dry_run = false, allow_reimport = false }: EraseRequest,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<ErasureResponse>> {
    const input = { focus, dryRun: dry_run, allowReimport: allow_reimport };
    return this.erasures.erase(workspaceId, input, actor, key);
  }

  /** Reads the erasure of a person. */
  @Get()
  @EntityIdParam('Former entity UUID, e-mail address or LinkedIn URL of the person.')
  @Operation({
    id: 'getPersonErasure',
    summary: 'Get the erasure of a person',
    description:
      'Returns how far the erasure of a person is. An e-mail address or LinkedIn URL works as long as the erasure ' +
      'suppresses it. Returns 404 `not_found` if the person was not erased. Requires the scope `admin`.',
    response: { type: Erasure, description: 'The erasure.' },
  })
  read(@CurrentCaller() { workspaceId }: Caller, @Param('id') focus: string): Promise<ErasureResponse> {
    return this.erasures.readOf(workspaceId, focus);
  }
}
