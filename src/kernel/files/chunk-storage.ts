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
