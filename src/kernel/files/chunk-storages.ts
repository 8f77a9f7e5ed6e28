import { Inject, Injectable } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { ChunkStorage, FileStorageName } from './chunk-storage.js';
import { DiskChunkStorage } from './disk-chunk.storage.js';
import { PostgresChunkStorage } from './postgres-chunk.storage.js';

/** The storages of this process. New files go to the one that `FILES` selects; older files stay where they are. */
@Injectable()
export class ChunkStorages {
  private readonly storages: Readonly<Record<FileStorageName, ChunkStorage>>;

  constructor(
    @Inject(ENV) private readonly env: Env,
    work: UnitOfWork,
  ) {
    this.storages = { disk: new DiskChunkStorage(env.dataDir), postgres: new PostgresChunkStorage(work) };
  }

  /** Returns the storage of new files. */
  get current(): ChunkStorage {
    return this.storages[this.env.files];
  }

  /** Returns a storage by name. */
  get(name: FileStorageName): ChunkStorage {
    return this.storages[name];
  }
}
