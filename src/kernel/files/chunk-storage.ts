import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CHUNK_BYTES, CHUNK_OVERHEAD_BYTES } from './file-cipher.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Inject, Injectable } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';

/** The kinds of storage that `FILES` selects. */
export const FILE_STORAGES = ['disk', 'postgres'] as const;

/** One of {@link FILE_STORAGES}. */
export type FileStorageName = (typeof FILE_STORAGES)[number];

/** Identifies a stored file. */
export interface FileRef {
  readonly workspaceId: string;
  readonly id: string;
}

/** Writes the encrypted chunks of a new file in order. Ends with `commit`, or with {@link ChunkStorage.remove}. */
export interface ChunkWriter {
  write(position: number, sealed: Buffer): Promise<void>;
  /** Resolves when all chunks are durable. */
  commit(): Promise<void>;
  /** Frees what the writer holds open. Never rejects. */
  close(): Promise<void>;
}

/** Reads encrypted chunks of a file at any position. */
export interface ChunkReader {
  /** Returns the chunk, or undefined if it is missing. @param length its encrypted length in bytes */
  read(position: number, length: number): Promise<Buffer | undefined>;
  /** Frees what the reader holds open. Never rejects. */
  close(): Promise<void>;
}

/** Port to where the encrypted chunks of files are stored. */
export abstract class ChunkStorage {
  abstract readonly name: FileStorageName;
  /** Begins a new file. */
  abstract openWriter(ref: FileRef): Promise<ChunkWriter>;
  /** Opens a file; undefined if it is not there. */
  abstract openReader(ref: FileRef): Promise<ChunkReader | undefined>;
  /** Deletes all chunks of a file. Does nothing if there are none. */
  abstract remove(ref: FileRef): Promise<void>;
}

const SEALED_CHUNK_BYTES = CHUNK_BYTES + CHUNK_OVERHEAD_BYTES;

/** Returns the folder of a workspace's files. */
function toWorkspaceFolder(dataDir: string, workspaceId: string): string {
  return join(dataDir, 'files', workspaceId);
}

/** Deletes all files of a workspace from the disk of this process. */
export async function removeWorkspaceFiles(dataDir: string, workspaceId: string): Promise<void> {
  await rm(toWorkspaceFolder(dataDir, workspaceId), { recursive: true, force: true });
}

/** Stores each file in `DATA_DIR/files/<workspace>/<id>`, chunk after chunk, readable for this user only. */
export class DiskChunkStorage extends ChunkStorage {
  readonly name = 'disk';

  constructor(private readonly dataDir: string) {
    super();
  }

  async openWriter(ref: FileRef): Promise<ChunkWriter> {
    await mkdir(toWorkspaceFolder(this.dataDir, ref.workspaceId), { recursive: true, mode: 0o700 });
    const file = await open(this.toPath(ref), 'wx', 0o600);
    return {
      write: async (position, sealed) => writeAll(file, sealed, position * SEALED_CHUNK_BYTES),
      commit: () => file.sync(),
      close: () => closeQuietly(file),
    };
  }

  async openReader(ref: FileRef): Promise<ChunkReader | undefined> {
    const file = await open(this.toPath(ref), 'r').catch(ignoreMissing);
    if (!file) return undefined;
    return {
      read: async (position, length) => {
        const buffer = Buffer.alloc(length);
        const { bytesRead } = await file.read(buffer, 0, length, position * SEALED_CHUNK_BYTES);
        return bytesRead === length ? buffer : undefined;
      },
      close: () => closeQuietly(file),
    };
  }

  async remove(ref: FileRef): Promise<void> {
    await rm(this.toPath(ref), { force: true });
  }

  private toPath({ workspaceId, id }: FileRef): string {
    return join(toWorkspaceFolder(this.dataDir, workspaceId), id);
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, offset + written);
    written += bytesWritten;
  }
}

async function closeQuietly(file: FileHandle): Promise<void> {
  await file.close().catch(() => undefined);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

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
