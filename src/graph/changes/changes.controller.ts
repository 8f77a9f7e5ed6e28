import { Readable } from 'node:stream';
import { Controller, Get, Headers, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/caller.guard.js';
import { openEventStream } from '#kernel/http/event-stream.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { ChangeFeedService } from './change-feed.service.js';
import { streamChanges } from './change-stream.js';
import { readChangesRequest } from './changes-request.js';
import { ChangeNoticeDto, ChangesQuery, ChangesResult, ChangeStreamQuery } from './changes.dto.js';
import type { ChangesResponse } from './changes.presenter.js';
import { ChangesService } from './changes.service.js';

/** Serves the changes of a workspace. */
@ApiTags('Changes')
@Controller('v2/changes')
export class ChangesController {
  constructor(
    private readonly changes: ChangesService,
    private readonly feed: ChangeFeedService,
  ) {}

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

  /** Streams notices of changes. */
  @Get('stream')
  @Operation({
    id: 'streamChanges',
    summary: 'Stream notices of changes',
    description:
      'Tells within about two seconds what has changed, as server-sent events, so that a page can load it again: `open` ' +
      'at once, and `changes` with kinds and entities. A client that was cut off sends the `id` of its last event as ' +
      '`Last-Event-ID`, or as `after`, and gets what it missed. A stream lasts for at most a quarter of an hour, and ends ' +
      'when the key or session of the client ends; clients then connect again. To keep another system up to date, read ' +
      '`GET /v2/changes`, which misses nothing.',
    response: { type: ChangeNoticeDto, description: 'Events with notices as JSON.', fileType: 'text/event-stream' },
  })
  async stream(
    @CurrentCaller() { workspaceId }: Caller,
    @Query() { after }: ChangeStreamQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const listener = await this.feed.listen(workspaceId, after ?? (lastEventId || undefined));
    // Emitted at the end of the response, also if it never began.
    reply.raw.once('close', () => listener.end());
    return Readable.from(streamChanges(listener, openEventStream(request, reply)), { objectMode: false });
  }
}

function splitNames(text: string | undefined): string[] | undefined {
  return text?.split(',').map(name => name.trim());
}
