import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { readChangesRequest } from './changes-request.js';
import { ChangesResult, ChangesQuery } from './changes.dto.js';
import type { ChangesResponse } from './changes.presenter.js';
import { ChangesService } from './changes.service.js';

/** Serves the changes of a workspace. */
@ApiTags('Changes')
@Controller('v2/changes')
export class ChangesController {
  constructor(private readonly changes: ChangesService) {}

  /** Returns a page of changes. */
  @Get()
  @Operation({
    id: 'listChanges',
    summary: 'List changes',
    description:
      'Returns what changed since a cursor, in the order in which it was committed: claims about which something ' +
      'was stated, with their current value; events; merges; and erasures. Use it to keep another system up to ' +
      'date: read until `has_more` is false, store `next_cursor`, and continue with it later. No change is ' +
      'missed, also beside concurrent writes; one may be listed twice after a restore. Changes that follow from ' +
      'time alone (a claim that ages), from new trust settings or from retention are not listed.',
    response: { type: ChangesResult, description: 'A page of changes.' },
  })
  list(@CurrentCaller() { workspaceId }: Caller, @Query() query: ChangesQuery): Promise<ChangesResponse> {
    const { after, kinds, types, properties, not_from, limit } = query;
    const request = readChangesRequest({
      after,
      limit,
      kinds: splitNames(kinds),
      types: splitNames(types),
      properties: splitNames(properties),
      notFrom: splitNames(not_from),
    });
    return this.changes.read(workspaceId, request);
  }
}

function splitNames(text: string | undefined): string[] | undefined {
  return text?.split(',').map(name => name.trim());
}
