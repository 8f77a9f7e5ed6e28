import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Scopes } from '#kernel/auth/scopes.decorator.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import type { AmbiguousName } from '../identity/entity-resolver.service.js';
import { ContextResult, ContextRequestDto } from './context.dto.js';
import { toContextRequest } from './context-request.js';
import { ContextService } from './context.service.js';
import type { ContextResponse } from './context.presenter.js';

/** Serves the context endpoint. */
@ApiTags('context')
@Controller('v2/context')
export class ContextController {
  constructor(private readonly contexts: ContextService) {}

  /** Returns the ranked context of an entity. Writes nothing. */
  @Post()
  @Scopes('read')
  @Operation({
    id: 'getContext',
    summary: 'Get context',
    description:
      'What is worth knowing of one person or company for a task, ranked and within a budget of tokens. What must not ' +
      'be missed (do not contact, contested facts) always comes first. Act only on claims in `safe_to_use`; the others ' +
      'say in `caution` what to mind. A name that several bear is answered with `status: "ambiguous"` and `candidates`.',
    response: { type: ContextResult, description: 'The context, or the candidates of a name.' },
  })
  read(
    @CurrentCaller() { workspaceId }: Caller,
    @Body() body: ContextRequestDto,
  ): Promise<ContextResponse | AmbiguousName> {
    return this.contexts.read(workspaceId, toContextRequest(body));
  }
}
