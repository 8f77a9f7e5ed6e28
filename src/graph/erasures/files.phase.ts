import type { FileStore } from '#kernel/files/file-store.js';
import type { ErasurePhase } from './erasure-phase.js';
import { isMentionedInFile, nextFile, readFileWindow, toFilesCursor } from './stored-files.js';

/** Windows overlap by more than the longest identifier, so that none is cut in two. */
const OVERLAP_BYTES = 8 * 1024;

/**
 * Deletes stored files that mention the person. They are copies that expire anyway, and a table without one of its rows
 * would not be the file that was uploaded. A file that is not text, such as a spreadsheet, cannot be searched and is
 * deleted too. Each page searches one window of a file.
 */
export function createFilesPhase(files: FileStore): ErasurePhase {
  return {
    name: 'files',
    run: async (tx, person, cursor) => {
      const window = await readFileWindow(tx, files, cursor);
      if (!window) return { cursor: null, counts: {} };
      const { file, content, encoding, isLast } = window;
      if (encoding === undefined || isMentionedInFile(person, window)) {
        await files.remove({ workspaceId: tx.workspace, id: file.id }, file.storage);
        return { cursor: nextFile(window), counts: { files_deleted: 1 } };
      }
      const next = isLast ? nextFile(window) : toFilesCursor(window, content.length - OVERLAP_BYTES);
      return { cursor: next, counts: {} };
    },
  };
}
