import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { checkOffset, createMissingFileError, parseFileInput, toByteStream } from '../file-rules.js';
import type { FileContent, FileInfo, FileInput, FilesPort } from '../files.js';

/** Bytes of one read, smaller than files of tests, so that plugins see several. */
const READ_BYTES = 1_024;

interface StoredFile extends FileInfo {
  readonly content: Buffer;
}

/**
 * Files in memory with the rules of the hub. IDs are `file-1`, `file-2` and so on.
 * @example
 * ```ts
 * const { id } = await hub.files.write({ name: 'people.csv' }, 'email\nada@acme.io\n');
 * expect(await hub.files.text(id)).toContain('ada@acme.io');
 * ```
 */
export class TestFiles implements FilesPort {
  /** Largest file of the plan in bytes. Default: unlimited. */
  maxBytes = Infinity;
  private readonly files = new Map<string, StoredFile>();
  private count = 0;

  constructor(private readonly now: () => Date = () => new Date()) {}

  async info(id: string): Promise<FileInfo | undefined> {
    const file = this.find(id);
    if (!file) return undefined;
    const { content: _content, ...info } = file;
    return info;
  }

  async open(id: string, from = 0): Promise<AsyncIterable<Uint8Array>> {
    checkOffset(from);
    const file = this.find(id);
    if (!file) throw createMissingFileError(id);
    return Readable.from(readParts(file.content.subarray(from)), { objectMode: false });
  }

  async write(input: FileInput, content: FileContent): Promise<FileInfo> {
    const { name, contentType, expiresInMs } = parseFileInput(input);
    const bytes = await collect(toByteStream(content));
    if (bytes.length > this.maxBytes) throw new RangeError(`The file has more than ${this.maxBytes} bytes.`);
    const createdAt = this.now();
    const id = `file-${++this.count}`;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const expiresAt = new Date(createdAt.getTime() + expiresInMs);
    this.files.set(id, { id, name, contentType, bytes: bytes.length, sha256, createdAt, expiresAt, content: bytes });
    return (await this.info(id))!;
  }

  async delete(id: string): Promise<void> {
    this.files.delete(id);
  }

  /** Returns the content of a file as text. @throws Error if it does not exist */
  async text(id: string): Promise<string> {
    const file = this.find(id);
    if (!file) throw createMissingFileError(id);
    return file.content.toString();
  }

  /** Returns all files that have not expired, oldest first. */
  list(): FileInfo[] {
    return [...this.files.values()].filter(file => this.isCurrent(file)).map(({ content: _content, ...info }) => info);
  }

  private find(id: string): StoredFile | undefined {
    const file = this.files.get(id);
    return file && this.isCurrent(file) ? file : undefined;
  }

  private isCurrent({ expiresAt }: FileInfo): boolean {
    return expiresAt > this.now();
  }
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

function* readParts(content: Buffer): Generator<Buffer> {
  for (let start = 0; start < content.length; start += READ_BYTES) yield content.subarray(start, start + READ_BYTES);
}
