import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CHUNK_BYTES, CHUNK_OVERHEAD_BYTES } from './file-cipher.js';
import { type ChunkReader, ChunkStorage, type ChunkWriter, type FileRef } from './chunk-storage.js';

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
