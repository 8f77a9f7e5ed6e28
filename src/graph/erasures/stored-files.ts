import { isUtf8 } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { type Instant, toIso } from '#domain/time/instant.js';
import type { MentionMatcher } from '#domain/erasure/mentions.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { FileStorageName } from '#kernel/files/chunk-storage.js';
import type { FileStore } from '#kernel/files/file-store.js';

/** Bytes that are searched at once: no more than the event loop has time for. */
export const FILE_WINDOW_BYTES = 512 * 1024;

/** Encodings in which text can be searched. */
type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** A stored file that is searched for a person. */
export interface SearchedFile {
  readonly id: string;
  readonly plugin: string;
  readonly name: string;
  readonly bytes: number;
  readonly storage: FileStorageName;
  readonly created_at: Instant;
  readonly expires_at: Instant;
}

/** A part of a stored file. */
export interface FileWindow {
  readonly file: SearchedFile;
  /** Position of its first byte. */
  readonly offset: number;
  readonly content: Buffer;
  /** Undefined if the file is no text, such as a spreadsheet. */
  readonly encoding: Encoding | undefined;
  /** Whether the file ends with it. */
  readonly isLast: boolean;
}

/** Where the search continues: in a file at an offset. */
interface FilesCursor {
  readonly id: string;
  readonly offset: number;
  readonly encoding: Encoding;
}

/** The person that files are searched for. */
interface SoughtPerson {
  readonly ids: readonly string[];
  readonly matcher: MentionMatcher;
}

/**
 * Reads the next window of the stored files of a workspace.
 * @param cursor from {@link toFilesCursor} or {@link nextFile}; null at the start
 * @returns undefined at the end
 */
export async function readFileWindow(tx: Tx, files: FileStore, cursor: string | null): Promise<FileWindow | undefined> {
  const at = cursor === null ? undefined : (JSON.parse(cursor) as FilesCursor);
  const file = await findFile(tx, at);
  if (!file) return undefined;
  const offset = at?.id === file.id ? at.offset : 0;
  const owner = { workspaceId: tx.workspace, plugin: file.plugin };
  const opened = await files.open(owner, file.id, offset, offset + FILE_WINDOW_BYTES);
  const content = opened ? await buffer(opened) : Buffer.alloc(0);
  const encoding = offset > 0 ? at!.encoding : detectEncoding(content);
  return { file, offset, content, encoding, isLast: offset + content.length >= file.bytes || content.length === 0 };
}

/** Returns the cursor with which the search continues in the same file, after some bytes of the window. */
export function toFilesCursor({ file, offset, encoding }: FileWindow, bytes: number): string {
  return JSON.stringify({ id: file.id, offset: offset + bytes, encoding: encoding! } satisfies FilesCursor);
}

/** Returns the cursor with which the search continues in the next file. */
export function nextFile({ file }: FileWindow): string {
  return JSON.stringify({ id: file.id, offset: file.bytes, encoding: 'utf-8' } satisfies FilesCursor);
}

/** Returns whether a window of text, or the name of its file, mentions the person. */
export function isMentionedInFile(person: SoughtPerson, { file, encoding, content }: FileWindow): boolean {
  return decodeTexts(content, encoding!).some(text => isMentionedInText(person, text)) || isNamedAfter(person, file);
}

/**
 * Returns the lines of a window that mention the person, as the person's export has them: one entry for a file whose
 * content cannot be searched or whose name alone mentions them, with `line` null.
 * @returns also the cursor of the next window; lines that the window cuts in two belong to it
 */
export function readMentioningLines(
  person: SoughtPerson,
  window: FileWindow,
): { readonly rows: readonly string[]; readonly last: string } {
  const { file, content, encoding, isLast, offset } = window;
  const toRow = (line: string | null) =>
    JSON.stringify({
      file_id: file.id,
      plugin: file.plugin,
      name: file.name,
      created_at: toIso(file.created_at),
      expires_at: toIso(file.expires_at),
      line,
    });
  if (encoding === undefined) return { rows: [toRow(null)], last: nextFile(window) };
  const end = isLast ? content.length : findLineEnd(content, encoding);
  const bytes = content.subarray(0, end);
  const last = isLast ? nextFile(window) : toFilesCursor(window, end);
  const isMentioned = decodeTexts(bytes, encoding).some(text => isMentionedInText(person, text));
  const lines = isMentioned ? decodeLines(bytes, encoding) : [];
  const rows = lines.filter(line => isMentionedInText(person, line)).map(toRow);
  if (rows.length === 0 && offset === 0 && isNamedAfter(person, file)) return { rows: [toRow(null)], last };
  return { rows, last };
}

function isMentionedInText({ ids, matcher }: SoughtPerson, text: string): boolean {
  return matcher.isMentionedIn(text) || ids.some(id => text.includes(id));
}

/** Returns whether the name of a file, which often ends in an extension, contains an identifier of the person. */
function isNamedAfter({ ids, matcher }: SoughtPerson, { name }: SearchedFile): boolean {
  return matcher.isPartOf(name) || ids.some(id => name.includes(id));
}

/** Returns the position after the last line end, so that the next window begins with a line; the end if there is none. */
function findLineEnd(bytes: Buffer, encoding: Encoding): number {
  for (const character of ['\n', '\r']) {
    const code = Buffer.from(character, encoding === 'utf-8' ? 'utf8' : 'utf16le');
    if (encoding === 'utf-16be') code.swap16();
    for (let at = bytes.lastIndexOf(code); at > 0; at = bytes.lastIndexOf(code, at - 1))
      if (at % code.length === 0) return at + code.length;
  }
  return bytes.length;
}

/** Returns the file of the cursor while it is not searched to its end, else the next one. */
async function findFile(tx: Tx, at: FilesCursor | undefined): Promise<SearchedFile | undefined> {
  const [file] = await tx.query<SearchedFile>(
    `SELECT id, plugin, name, bytes::float8 AS bytes, storage, created_at, expires_at FROM files
     WHERE workspace_id = $1 AND state = 'ready' AND expires_at > now()
       AND ($2::uuid IS NULL OR id > $2 OR id = $2 AND bytes > $3) ORDER BY id LIMIT 1`,
    [tx.workspace, at?.id ?? null, at?.offset ?? 0],
  );
  return file;
}

/** Returns the encoding of a text by its first bytes; undefined for anything else. */
function detectEncoding(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes.includes(0) ? undefined : 'utf-8';
}

/** Decodes bytes, and once more as Latin-1 if they are not what the encoding says. */
function decodeTexts(bytes: Buffer, encoding: Encoding): string[] {
  const text = new TextDecoder(encoding).decode(bytes);
  return text.includes('\ufffd') ? [text, bytes.toString('latin1')] : [text];
}

/** Decodes line by line: a line that is not UTF-8 is read as Latin-1, which leaves the others as they are. */
function decodeLines(bytes: Buffer, encoding: Encoding): string[] {
  const lineEnd = /\r\n|\r|\n/;
  const decoder = new TextDecoder(encoding);
  if (encoding !== 'utf-8') return decoder.decode(bytes).split(lineEnd);
  return bytes
    .toString('latin1')
    .split(lineEnd)
    .map(line => {
      const own = Buffer.from(line, 'latin1');
      return isUtf8(own) ? decoder.decode(own) : line;
    });
}
