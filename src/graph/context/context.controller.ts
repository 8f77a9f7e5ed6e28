import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller, Scopes } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { AmbiguousName } from '../identity/entity-resolver.service.js';
import { ContextResult, ContextRequestDto } from './context.dto.js';
import { toContextRequest } from './context-request.js';
import { ContextService } from './context.service.js';
import type { ContextResponse } from './context.presenter.js';
import { AmbiguousNameDto } from '../identity/focus.dto.js';

/** Serves the context endpoint. */
@ApiTags('Context')
@Controller('v2/context')
export class ContextController {
  constructor(private readonly contexts: ContextService) {}

  /** Returns the ranked context of an entity. Writes nothing. */
  @Post()
  @Scopes('read')
  @Operation({
    id: 'getContext',
    summary: 'Get context for a task',
    description:
      'Returns the most useful claims, activity and notes about one person or company, ranked for a task ' +
      'and limited to a token budget. Use it before you write to or about a contact. Warnings such as ' +
      '`do_not_contact` and contested facts always come first. Act only on claims listed in `safe_to_use`; ' +
      'the others explain in `caution` why not. If a name matches more than one entity, the response has ' +
      '`status: "ambiguous"` and lists `candidates`. Returns 404 `entity_not_found` for an unknown ' +
      'identifier. Nothing is written.',
    body: {
      type: ContextRequestDto,
      example: { focus: 'ada@acme.com', intent: 'draft_email', task: 'Answer her question about the price' },
    },
    response: {
      type: ContextResult,
      alternatives: [AmbiguousNameDto],
      description: 'The context, or the candidates of an ambiguous name.',
    },
  })
  read(
    @CurrentCaller() { workspaceId }: Caller,
    @Body() body: ContextRequestDto,
  ): Promise<ContextResponse | AmbiguousName> {
    return this.contexts.read(workspaceId, toContextRequest(body));
  }
}
