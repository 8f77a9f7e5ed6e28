import { Readable } from 'node:stream';
import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller, Scopes } from '#kernel/auth/caller.guard.js';
import { Operation } from '#kernel/http/openapi/operation.decorator.js';
import { AuditQuery, AuditLogPage } from './audit.dto.js';
import { toAuditRequest } from './audit-request.js';
import { type AuditResponse, AuditService } from './audit.service.js';

/** Serves the audit log. */
@ApiTags('Workspace')
@Controller('v2/workspace/audit')
@Scopes('admin')
export class AuditController {
  constructor(private readonly audit: AuditService) {}

  /** Returns a page, or everything as CSV. */
  @Get()
  @Operation({
    id: 'listAuditEvents',
    summary: 'List audit events',
    description:
      'Returns who changed what in this workspace, newest first: API keys, sign-ins, plan, integrations, ' +
      'triggers, trust, scoring model, profile, lists, merges, retention and exports. Entries name objects by ' +
      'ID and are never changed or deleted. With `format=csv`, all matching entries are returned as a CSV ' +
      'file. Requires the scope `admin`.',
    response: { type: AuditLogPage, description: 'A page of audit events; a CSV file with `format=csv`.' },
  })
  async list(
    @CurrentCaller() { workspaceId }: Caller,
    @Query() query: AuditQuery,
  ): Promise<AuditResponse | StreamableFile> {
    const request = toAuditRequest(query);
    if (query.format !== 'csv') return this.audit.list(workspaceId, request);
    const lines = Readable.from(await this.audit.export(workspaceId, request), { objectMode: false });
    return new StreamableFile(lines, {
      type: 'text/csv; charset=utf-8',
      disposition: 'attachment; filename="audit.csv"',
    });
  }
}
