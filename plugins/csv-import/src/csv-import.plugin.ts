import { Module } from '@nestjs/common';
import { FileRoutes } from './imports/file.routes.js';
import { ImportRun } from './imports/import.run.js';
import { StartRoutes } from './imports/start.routes.js';
import { UndoRoutes } from './imports/undo.routes.js';
import { UndoRun } from './imports/undo.run.js';
import { UploadRoutes } from './imports/uploads.routes.js';

/** The plugin: opened by the hub in a Nest container of its own. */
@Module({ providers: [UploadRoutes, FileRoutes, StartRoutes, UndoRoutes, ImportRun, UndoRun] })
export class CsvImportPlugin {}

export default CsvImportPlugin;
