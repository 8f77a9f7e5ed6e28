/**
 * Files of the plugin: uploads of users, downloads for them, and what long work reads more than once. Files are
 * encrypted, belong to one workspace and one plugin, and are deleted when they expire. Contents are streamed, so a file
 * never has to fit into memory.
 * @example
 * ```ts
 * @OnRoute('upload')
 * async upload({ upload }: RouteRequest, hub: HubContext): Promise<RouteResponse> {
 *   const file = await hub.files.write({ name: upload!.fileName ?? 'people.csv' }, upload!.stream);
 *   return { status: 201, body: { file: file.id, bytes: file.bytes } };
 * }
 * ```
 */
export interface FilesPort {
  /** Returns what is known of a file; undefined if it does not exist, has expired, or belongs to another plugin. */
  info(id: string): Promise<FileInfo | undefined>;
  /**
   * Opens a file as a stream of bytes, which is read as it is consumed. `Readable.from(…)` of `node:stream` makes a
   * Node stream of it.
   * @param from first byte, counted from 0; beyond the end the stream is empty. Default: 0
   * @throws PermanentError if the file does not exist or has expired
   */
  open(id: string, from?: number): Promise<AsyncIterable<Uint8Array>>;
  /**
   * Stores a file. A stream is read as fast as it is stored. If it fails, nothing is stored.
   * @throws PermanentError if the file is larger than the plan allows, or its storage is used up
   */
  write(file: FileInput, content: FileContent): Promise<FileInfo>;
  /** Deletes a file. Does nothing if it does not exist. */
  delete(id: string): Promise<void>;
}

/**
 * The content of a file to store.
 * @example await hub.files.write({ name: 'report.csv', contentType: 'text/csv' }, 'email\r\nada@acme.io\r\n');
 */
export type FileContent = AsyncIterable<Uint8Array> | Uint8Array | string;

/**
 * A file to store.
 * @example { name: 'people.csv', contentType: 'text/csv', expiresInMs: 86_400_000 }
 */
export interface FileInput {
  /** File name for people, 1 to 255 characters, without a path. */
  readonly name: string;
  /** Media type. Default: `application/octet-stream`. */
  readonly contentType?: string;
  /** Time until the file is deleted, in milliseconds: 1 minute to 30 days. Default: 7 days. */
  readonly expiresInMs?: number;
}

/**
 * What is known of a file.
 * @example const { bytes, sha256 } = (await hub.files.info(id))!;
 */
export interface FileInfo {
  readonly id: string;
  readonly name: string;
  readonly contentType: string;
  readonly bytes: number;
  /** SHA-256 of the content, hexadecimal. Two files with the same one have the same content. */
  readonly sha256: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}
