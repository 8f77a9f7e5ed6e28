import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller, Scopes } from '#kernel/auth/caller.guard.js';
import { BATCH_BODY_LIMITS, BodyLimit } from '#kernel/http/json-parser.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { parseWith } from '#kernel/http/request-validation.js';
import { DedupReport, DedupRequestDto } from './dedup.dto.js';
import { type DedupRequest, readDedupRequest } from './dedup-request.js';
import { DedupService } from './dedup.service.js';
import type { DedupResponse } from './dedup.presenter.js';

/** Serves the dedup endpoint. */
@ApiTags('Dedup')
@Controller('v2/dedup')
export class DedupController {
  constructor(private readonly dedups: DedupService) {}

  /** Classifies rows against all known contacts. Writes nothing. */
  @Post()
  @Scopes('read')
  @BodyLimit(BATCH_BODY_LIMITS)
  @Operation({
    id: 'dedup',
    summary: 'Classify contacts before outreach',
    description:
      'Classifies contacts before cold outreach. Each row gets the first class that applies: `unsubscribed` ' +
      '(the contact or their domain asked not to be contacted, however long ago), `bounced` (the address no ' +
      'longer works; `alternate_email` may name another), `engaged` (the contact replied before, is in an ' +
      'open stage past prospecting, has a meeting ahead, was contacted within the window, or is in another ' +
      'list) or `net_new`. Send `rows`, or lists of `emails`, `linkedin_urls` and `domains`. Names are ' +
      "never used for matching. Rows without a usable identifier, and rows at the workspace's own domains, " +
      'are reported in `errors`. Returns 413 `too_many` above the row limit. Nothing is written.',
    body: { type: DedupRequestDto },
    response: { type: DedupReport, description: 'The class of each row, and the number of rows per class.' },
  })
  dedup(
    @CurrentCaller() { workspaceId }: Caller,
    @Body(parseWith(readDedupRequest)) request: DedupRequest,
  ): Promise<DedupResponse> {
    return this.dedups.dedup(workspaceId, request);
  }
}
