import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { type ChunkReader, ChunkStorage, type ChunkWriter, type FileRef } from './chunk-storage.js';

/** Stores the chunks of files as rows of `file_chunks`, each in a transaction of its own. */
export class PostgresChunkStorage extends ChunkStorage {
  readonly name = 'postgres';

  constructor(private readonly work: UnitOfWork) {
    super();
  }

  async openWriter({ workspaceId, id }: FileRef): Promise<ChunkWriter> {
    const insert = 'INSERT INTO file_chunks (workspace_id, file_id, position, content) VALUES ($1, $2, $3, $4)';
    return {
      write: async (position, sealed) => {
        await this.work.run(workspaceId, async tx => tx.deferToCommit(insert, [workspaceId, id, position, sealed]));
      },
      commit: async () => undefined,
      close: async () => undefined,
    };
  }

  async openReader({ workspaceId, id }: FileRef): Promise<ChunkReader> {
    const select = 'SELECT content FROM file_chunks WHERE workspace_id = $1 AND file_id = $2 AND position = $3';
    return {
      read: async (position, length) => {
        const [row] = await this.work.run(workspaceId, tx =>
          tx.query<{ content: Buffer }>(select, [workspaceId, id, position]),
        );
        return row?.content.length === length ? row.content : undefined;
      },
      close: async () => undefined,
    };
  }

  async remove({ workspaceId, id }: FileRef): Promise<void> {
    await this.work.run(workspaceId, tx =>
      tx.query('DELETE FROM file_chunks WHERE workspace_id = $1 AND file_id = $2', [workspaceId, id]),
    );
  }
}
