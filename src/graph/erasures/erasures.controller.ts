import { Controller, Get, Param, Post, Query, Body } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller, Scopes } from '#kernel/auth/caller.guard.js';
import type { HandlerResponse } from '#kernel/http/response.hook.js';
import { Operation, UuidParam, EntityIdParam } from '#kernel/http/openapi/operation.decorator.js';
import { type IdempotencyKey, WithIdempotencyKey } from '#kernel/idempotency/idempotency-store.js';
import { Erasure, ErasureList, ErasuresQuery, MAX_ERASURES_LIMIT, EraseRequest } from './erasures.dto.js';
import type { ErasurePage, ErasureResponse } from './erasures.presenter.js';
import { ErasuresService } from './erasures.service.js';

const DEFAULT_LIMIT = 100;

/** Endpoints for the erasures of a workspace. */
@ApiTags('Erasures')
@Controller('v2/erasures')
@Scopes('admin')
export class ErasuresController {
  constructor(private readonly erasures: ErasuresService) {}

  /** Lists erasures, page by page. */
  @Get()
  @Operation({
    id: 'listErasures',
    summary: 'List erasures',
    description:
      'Returns the erasures of the workspace, newest first. They name IDs and counts, never the person. Requires ' +
      'the scope `admin`.',
    response: { type: ErasureList, description: 'A page of erasures.' },
  })
  list(@CurrentCaller() { workspaceId }: Caller, @Query() query: ErasuresQuery): Promise<ErasurePage> {
    const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MAX_ERASURES_LIMIT);
    return this.erasures.list(workspaceId, query.cursor ?? null, limit);
  }

  /** Reads one erasure. */
  @Get(':id')
  @UuidParam('erasure')
  @Operation({
    id: 'getErasure',
    summary: 'Get an erasure',
    description:
      'Returns the state of an erasure and what it has removed so far. Returns 404 `not_found` for an unknown ID. ' +
      'Requires the scope `admin`.',
    response: { type: Erasure, description: 'The erasure.' },
  })
  read(@CurrentCaller() { workspaceId }: Caller, @Param('id') id: string): Promise<ErasureResponse> {
    return this.erasures.read(workspaceId, id);
  }

  /** Lifts the suppression of an erasure. */
  @Post(':id/allow-reimport')
  @UuidParam('erasure')
  @Operation({
    id: 'allowReimport',
    summary: 'Allow an erased person to be imported again',
    description:
      'Deletes the hashes of the person’s identifiers, for example because the person is a customer again. A later ' +
      'write creates a new person with a new ID; nothing that was erased comes back. Returns 404 `not_found` for an ' +
      'unknown ID. Requires the scope `admin`.',
    response: { type: Erasure, description: 'The erasure, with `suppressed: false`.' },
    isIdempotent: true,
  })
  allowReimport(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('id') id: string,
    @WithIdempotencyKey() key: IdempotencyKey | undefined,
  ): Promise<HandlerResponse<ErasureResponse>> {
    return this.erasures.allowReimport(workspaceId, id, key);
  }
}

/** Endpoints that erase a person and show how far the erasure is. */
@ApiTags('Erasures')
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
