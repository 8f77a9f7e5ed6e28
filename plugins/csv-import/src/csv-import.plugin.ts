import { Module } from '@nestjs/common';
import { ImportRun } from './imports/import.run.js';
import { StartRoutes } from './imports/start.routes.js';
import { UploadRoutes } from './imports/uploads.routes.js';

/** The plugin: opened by the hub in a Nest container of its own. */
@Module({ providers: [UploadRoutes, StartRoutes, ImportRun] })
export class CsvImportPlugin {}

export default CsvImportPlugin;
