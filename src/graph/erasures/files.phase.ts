import { buffer } from 'node:stream/consumers';
import type { Tx } from '#kernel/db/transaction.js';
import type { FileStorageName } from '#kernel/files/chunk-storage.js';
import type { FileStore } from '#kernel/files/file-store.js';
import type { ErasedPerson, ErasurePhase } from './erasure-phase.js';

const WINDOW_BYTES = 4 * 1024 * 1024;
/** Windows overlap by more than the longest identifier, so that none is cut in two. */
const OVERLAP_BYTES = 8 * 1024;

/** Encodings in which text can be searched. */
type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

interface FileRow {
  readonly id: string;
  readonly plugin: string;
  readonly bytes: number;
  readonly storage: FileStorageName;
}

/** Where the search continues: in a file at an offset. */
interface FilesCursor {
  readonly id: string;
  readonly offset: number;
  readonly encoding: Encoding;
}

/**
 * Deletes stored files that mention the person. They are copies that expire anyway, and a table without one of its rows
 * would not be the file that was uploaded. A file that is not text, such as a spreadsheet, cannot be searched and is
 * deleted too. Each page searches one window of a file.
 */
export function createFilesPhase(files: FileStore): ErasurePhase {
  return {
    name: 'files',
    run: async (tx, person, cursor) => {
      const at = cursor === null ? undefined : (JSON.parse(cursor) as FilesCursor);
      const file = await findFile(tx, at);
      if (!file) return { cursor: null, counts: {} };
      const offset = at?.id === file.id ? at.offset : 0;
      const owner = { workspaceId: tx.workspace, plugin: file.plugin };
      const content = await files.open(owner, file.id, offset, offset + WINDOW_BYTES);
      const bytes = content ? await buffer(content) : Buffer.alloc(0);
      const encoding = offset > 0 ? at!.encoding : detectEncoding(bytes);
      if (encoding === undefined || isMentioned(person, bytes, encoding)) {
        await files.remove({ workspaceId: tx.workspace, id: file.id }, file.storage);
        return { cursor: toCursor(file.id, file.bytes, 'utf-8'), counts: { files_deleted: 1 } };
      }
      const isLast = offset + bytes.length >= file.bytes || bytes.length === 0;
      const next = isLast ? file.bytes : offset + bytes.length - OVERLAP_BYTES;
      return { cursor: toCursor(file.id, next, encoding), counts: {} };
    },
  };
}

/** Returns the file of the cursor while it is not searched to its end, else the next one. */
async function findFile(tx: Tx, at: FilesCursor | undefined): Promise<FileRow | undefined> {
  const [file] = await tx.query<FileRow>(
    `SELECT id, plugin, bytes::float8 AS bytes, storage FROM files
     WHERE workspace_id = $1 AND state = 'ready' AND expires_at > now()
       AND ($2::uuid IS NULL OR id > $2 OR id = $2 AND bytes > $3) ORDER BY id LIMIT 1`,
    [tx.workspace, at?.id ?? null, at?.offset ?? 0],
  );
  return file;
}

function toCursor(id: string, offset: number, encoding: Encoding): string {
  return JSON.stringify({ id, offset, encoding } satisfies FilesCursor);
}

/** Returns the encoding of a text by its first bytes; undefined for anything else. */
function detectEncoding(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes.includes(0) ? undefined : 'utf-8';
}

function isMentioned({ ids, matcher }: ErasedPerson, bytes: Buffer, encoding: Encoding): boolean {
  const text = new TextDecoder(encoding).decode(bytes);
  const texts = text.includes('\ufffd') ? [text, bytes.toString('latin1')] : [text];
  return texts.some(each => matcher.isMentionedIn(each) || ids.some(id => each.includes(id)));
}
