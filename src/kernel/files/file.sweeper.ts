import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import { type FileStorageName, ChunkStorages } from './chunk-storage.js';
import { FileStore } from './file-store.js';

const INTERVAL_MS = 5 * 60_000;
const BATCH_SIZE = 100;

const SELECT_EXPIRED = `
  SELECT workspace_id AS "workspaceId", id, storage FROM files
  WHERE expires_at <= now() AND storage = ANY ($1) ORDER BY expires_at LIMIT ${BATCH_SIZE}`;

interface ExpiredFile {
  readonly workspaceId: string;
  readonly id: string;
  readonly storage: FileStorageName;
}

/** Deletes expired files and what was left of uploads that broke off. */
@Injectable()
export class FileSweeper extends PeriodicTask {
  constructor(
    private readonly work: UnitOfWork,
    private readonly files: FileStore,
    private readonly storages: ChunkStorages,
  ) {
    super({ intervalMs: INTERVAL_MS, loggerName: 'files', failureMessage: 'Expired files cannot be deleted' });
  }

  /** Deletes all expired files. @returns how many */
  async sweep(): Promise<number> {
    // Only a process that writes to the disk is sure to have the same one.
    const reachable: FileStorageName[] = this.storages.current.name === 'disk' ? ['disk', 'postgres'] : ['postgres'];
    for (let count = 0; ;) {
      const expired = await this.work.system(tx => tx.query<ExpiredFile>(SELECT_EXPIRED, [reachable]));
      for (const { storage, ...ref } of expired) await this.files.remove(ref, storage);
      count += expired.length;
      if (expired.length < BATCH_SIZE) return count;
    }
  }

  protected run(): Promise<unknown> {
    return this.sweep();
  }
}
