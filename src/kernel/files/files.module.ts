import { Global, Module } from '@nestjs/common';
import { ChunkStorages } from './chunk-storage.js';
import { FileStore } from './file-store.js';
import { FileSweeper } from './file.sweeper.js';

/** Stores the files of plugins. */
@Global()
@Module({ providers: [ChunkStorages, FileStore, FileSweeper], exports: [FileStore] })
export class FilesModule {}
