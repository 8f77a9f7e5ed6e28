import { Body, Controller, Get, Param, Post, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '#kernel/auth/caller.js';
import { CurrentCaller, Scopes } from '#kernel/auth/caller.guard.js';
import { Operation, EntityIdParam } from '#kernel/http/openapi/operation.decorator.js';
import { ExportContent, ExportWorkspace, PersonExport } from './exports.dto.js';
import { PersonExportService } from './person-export.service.js';
import { WorkspaceExportService } from './workspace-export.service.js';

/** Serves the exports of a person and of the workspace. */
@Controller('v2')
@Scopes('admin')
export class ExportsController {
  constructor(
    private readonly people: PersonExportService,
    private readonly workspaces: WorkspaceExportService,
  ) {}

  /** Exports a person. */
  @Get('people/:id/export')
  @ApiTags('People')
  @EntityIdParam('Entity UUID, e-mail address or LinkedIn URL. A bare name is refused.')
  @Operation({
    id: 'exportPerson',
    summary: 'Export a person',
    description:
      'Returns everything that is recorded about a person, machine-readable and with its sources: identifiers, ' +
      'current facts, every observation with its raw payload, notes in full, entries in lead lists, and what mentions ' +
      'the person elsewhere: notes and observations of others, received webhooks, stored responses, deliveries of ' +
      'triggers, runs of plugins. Rows have the columns of the database. The export is recorded in the audit log. Requires the scope `admin`.',
    response: { type: PersonExport, description: 'The export.' },
  })
  async exportPerson(@CurrentCaller() { workspaceId }: Caller, @Param('id') id: string): Promise<StreamableFile> {
    return new StreamableFile(await this.people.export(workspaceId, id), {
      type: 'application/json; charset=utf-8',
      disposition: 'attachment; filename="person.json"',
    });
  }

  /** Exports the workspace. */
  @Post('workspace/export')
  @ApiTags('Workspace')
  @Operation({
    id: 'exportWorkspace',
    summary: 'Export the workspace',
    description:
      'Returns a zip file with one NDJSON file per table and, as the last file, `manifest.json` (schema ' +
      '`ExportContent`). Keys, credentials and their hashes are left out. A download without a manifest was ' +
      'interrupted: send the tables that are not complete, and the key of the last row in `after`. `rapport admin ' +
      'workspace import` reads a complete export. It is recorded in the audit log. Requires the scope `admin`.',
    body: { type: ExportWorkspace },
    response: { type: ExportContent, fileType: 'application/zip', description: 'The export as a zip file.' },
  })
  async exportWorkspace(
    @CurrentCaller() { workspaceId }: Caller,
    @Body() { tables, after }: ExportWorkspace,
  ): Promise<StreamableFile> {
    return new StreamableFile(await this.workspaces.export(workspaceId, { tables, after }), {
      type: 'application/zip',
      disposition: 'attachment; filename="workspace.zip"',
    });
  }
}
