import { Module } from '@nestjs/common';
import { FilesModule } from '#kernel/files/files.module.js';
import { IdentityModule } from '../identity/identity.module.js';
import { ExportsController } from './exports.controller.js';
import { PersonExportService } from './person-export.service.js';
import { WorkspaceExportService } from './workspace-export.service.js';

/** Provides the exports of a person and of the workspace. */
@Module({
  imports: [FilesModule, IdentityModule],
  controllers: [ExportsController],
  providers: [PersonExportService, WorkspaceExportService],
})
export class ExportsModule {}
