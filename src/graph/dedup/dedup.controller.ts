import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller } from '#kernel/auth/current-caller.decorator.js';
import { Scopes } from '#kernel/auth/scopes.decorator.js';
import { BATCH_BODY_LIMITS, BodyLimit } from '#kernel/http/body-limit.decorator.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { parseWith } from '#kernel/http/request-validation.pipe.js';
import { DedupReport, DedupRequestDto } from './dedup.dto.js';
import { type DedupRequest, readDedupRequest } from './dedup-request.js';
import { DedupService } from './dedup.service.js';
import type { DedupResponse } from './dedup.presenter.js';

/** Serves the dedup endpoint. */
@ApiTags('dedup')
@Controller('v2/dedup')
export class DedupController {
  constructor(private readonly dedups: DedupService) {}

  /** Classifies rows against all known contacts. Writes nothing. */
  @Post()
  @Scopes('read')
  @BodyLimit(BATCH_BODY_LIMITS)
  @Operation({
    id: 'dedup',
    summary: 'Tell new contacts from known ones',
    description:
      'Before cold outreach: each row is `unsubscribed`, `bounced`, `engaged` or `net_new`, the first that applies. ' +
      'Send `rows`, or lists of `emails`, `linkedin_urls` and `domains`. Unsubscribed: they or their domain asked not ' +
      'to be contacted, however long ago. Bounced: the address is dead; `alternate_email` is another one of theirs. ' +
      'Engaged: they ever turned to us, are in an open stage past prospecting, have a meeting ahead, were contacted ' +
      'within the window, or wait in another list. Names never match. Rows by which nobody can be told are in ' +
      '`errors`, and so are those at the own domains of the workspace. Nothing is written.',
    body: { type: DedupRequestDto },
    response: { type: DedupReport, description: 'The class of each row, and how many there are of each.' },
  })
  dedup(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parseWith(readDedupRequest)) request: DedupRequest,
  ): Promise<DedupResponse> {
    return this.dedups.dedup(workspaceId, request);
  }
}
