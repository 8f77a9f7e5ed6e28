import { PermanentError } from '#sdk/errors.js';
import { checkOffset, createMissingFileError, parseFileInput, toByteStream } from '#sdk/file-rules.js';
import type { FileInfo, FilesPort } from '#sdk/files.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { FileOwner, FileRecord, FileStore } from '#kernel/files/file-store.js';

/** Creates the port through which a plugin stores files of one workspace. */
export function createFilesPort(store: FileStore, { workspaceId, plugin }: FileOwner): FilesPort {
  const owner = { workspaceId, plugin };
  return {
    info: async id => {
      const record = await store.find(owner, id);
      return record && toFileInfo(record);
    },
    open: async (id, from = 0) => {
      const stream = await store.open(owner, id, checkOffset(from));
      if (!stream) throw createMissingFileError(id);
      return stream;
    },
    write: async (input, content) => {
      const { contentType: mediaType, ...file } = parseFileInput(input);
      const record = await store.write(owner, { ...file, mediaType }, toByteStream(content)).catch(throwPermanently);
      return toFileInfo(record);
    },
    delete: id => store.delete(owner, id),
  };
}

/** Converts what a retry cannot fix, such as a used-up quota. The cause is the response if a route was called. */
function throwPermanently(error: unknown): never {
  if (!(error instanceof HubError) || error.status >= 500) throw error;
  throw new PermanentError(error.detail ?? error.code, { cause: error });
}

function toFileInfo({ id, name, mediaType, bytes, sha256, createdAt, expiresAt }: FileRecord): FileInfo {
  const [created, expires] = [new Date(createdAt / 1_000), new Date(expiresAt / 1_000)];
  return { id, name, contentType: mediaType, bytes, sha256, createdAt: created, expiresAt: expires };
}
