import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { Plan } from '#domain/plans/tiers.js';
import type { Instant } from '#domain/time/instant.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { newId } from '#kernel/ids.js';
import { QuotaService } from '#kernel/quotas/quota.service.js';
import { requestActor } from '#kernel/request-context.js';
import { SecretBox } from '#kernel/secrets/secret-box.js';
import type { SecretContext } from '../secrets/secret-box.js';
import { type ChunkReader, type FileRef, ChunkStorages } from './chunk-storage.js';
import { CHUNK_BYTES, CHUNK_OVERHEAD_BYTES, CorruptFileError, cutIntoChunks, FileCipher } from './file-cipher.js';

/** The plugin that a file belongs to. */
export interface FileOwner {
  readonly workspaceId: string;
  /** ID of the plugin. */
  readonly plugin: string;
}

/** What is known of a stored file. */
export interface FileRecord {
  readonly id: string;
  readonly plugin: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  /** SHA-256 of the content, hexadecimal. */
  readonly sha256: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** A file to store. */
export interface NewFile {
  readonly name: string;
  readonly mediaType: string;
  /** Time until the file is deleted, in milliseconds. */
  readonly expiresInMs: number;
}

interface FileRow extends FileRecord {
  readonly storage: 'disk' | 'postgres';
  readonly sealedKey: string;
}

const BYTES_PER_MB = 1_000_000;
/** A file that is still being written after this time has lost its writer, in seconds. */
const WRITE_TIMEOUT_SECONDS = 86_400;

const COLUMNS = `id, plugin, name, media_type AS "mediaType", bytes::float8 AS bytes, sha256, storage,
  sealed_key AS "sealedKey", created_at AS "createdAt", expires_at AS "expiresAt"`;
const SELECT_FILE = `
  SELECT ${COLUMNS} FROM files WHERE workspace_id = $1 AND id = $2 AND state = 'ready' AND expires_at > now()`;
const INSERT_FILE = `
  INSERT INTO files (workspace_id, id, plugin, name, media_type, storage, sealed_key, created_by, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9))`;
const FINISH_FILE = `
  UPDATE files SET state = 'ready', bytes = $3, sha256 = $4, expires_at = now() + make_interval(secs => $5)
  WHERE workspace_id = $1 AND id = $2 RETURNING ${COLUMNS}`;
const DELETE_FILE = `
  DELETE FROM files WHERE workspace_id = $1 AND id = $2 RETURNING CASE state WHEN 'ready' THEN bytes ELSE 0 END::float8 AS bytes`;

/**
 * Stores files of plugins, encrypted, in chunks. Writing and reading hold one chunk in memory, whatever the size of the
 * file. Each file has a key of its own, which is sealed with SECRET_KEYS.
 */
@Injectable()
export class FileStore {
  constructor(
    private readonly work: UnitOfWork,
    private readonly box: SecretBox,
    private readonly storages: ChunkStorages,
    private readonly quotas: QuotaService,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** Returns the largest file that a plan allows, in bytes; Infinity without a limit. */
  maxBytes(plan: Plan): number {
    return this.env.maxFileMb[plan] * BYTES_PER_MB || Infinity;
  }

  /**
   * Stores a stream. It is read as fast as chunks are written. If it fails, nothing is stored.
   * @throws HubError `too_large` beyond the limit of the plan, `quota_exceeded`; the error of the stream
   */
  async write(owner: FileOwner, file: NewFile, content: AsyncIterable<Uint8Array>): Promise<FileRecord> {
    const { workspaceId, plugin } = owner;
    const id = newId();
    const key = FileCipher.generateKey();
    const sealedKey = this.box.seal(toFileKeyPlace(workspaceId, id), key.toString('base64'));
    const storage = this.storages.current;
    const maxBytes = await this.work.run(workspaceId, async tx => {
      const actor = requestActor();
      const createdBy = actor ? `${actor.kind}:${actor.id}` : null;
      const values = [plugin, file.name, file.mediaType, storage.name, sealedKey, createdBy, WRITE_TIMEOUT_SECONDS];
      tx.deferToCommit(INSERT_FILE, [workspaceId, id, ...values]);
      const [row] = await tx.query<{ plan: Plan }>('SELECT plan FROM workspaces WHERE id = $1', [workspaceId]);
      return this.maxBytes(row!.plan);
    });
    try {
      const cipher = new FileCipher(id, key);
      const { bytes, sha256 } = await this.writeChunks({ workspaceId, id }, cipher, maxBytes, content);
      return await this.work.run(workspaceId, async tx => {
        tx.countUsage('bytes', bytes);
        const expiresInSeconds = file.expiresInMs / 1_000;
        const [row] = await tx.query<FileRow>(FINISH_FILE, [workspaceId, id, bytes, sha256, expiresInSeconds]);
        return toRecord(row!);
      });
    } catch (error) {
      // What remains is deleted when the time for writing is over.
      await this.delete(owner, id).catch(() => undefined);
      throw error;
    }
  }

  /** Returns what is known of a file; undefined if it is not there, has expired, or belongs to another plugin. */
  async find(owner: FileOwner, id: string): Promise<FileRecord | undefined> {
    const row = await this.findRow(owner, id);
    return row && toRecord(row);
  }

  /**
   * Opens a file at an offset. The stream reads one chunk at a time, when its consumer has taken the previous one.
   * @param from first byte, counted from 0; beyond the end the stream is empty
   * @param to byte after the last one. Default: the end of the file
   * @returns undefined if the file is not there, has expired, or belongs to another plugin
   */
  async open(owner: FileOwner, id: string, from = 0, to = Infinity): Promise<Readable | undefined> {
    const row = await this.findRow(owner, id);
    if (!row) return undefined;
    const cipher = this.toCipher(owner.workspaceId, row);
    const reader = await this.storages.get(row.storage).openReader({ workspaceId: owner.workspaceId, id });
    if (!reader) throw toMissingContentError(row);
    return Readable.from(readChunks(row, reader, cipher, from, Math.min(to, row.bytes)), {
      objectMode: false,
      highWaterMark: CHUNK_BYTES,
    });
  }

  /** Deletes a file of a plugin. Does nothing if it is not there. */
  async delete(owner: FileOwner, id: string): Promise<void> {
    const { workspaceId, plugin } = owner;
    const [row] = await this.work.run(workspaceId, tx =>
      tx.query<{ storage: FileRow['storage'] }>(
        'SELECT storage FROM files WHERE workspace_id = $1 AND id = $2 AND plugin = $3',
        [workspaceId, id, plugin],
      ),
    );
    if (row) await this.remove({ workspaceId, id }, row.storage);
  }

  /** Deletes a file of any plugin: its content first, so that nothing is left that no row knows. */
  async remove(ref: FileRef, storage: FileRow['storage']): Promise<void> {
    await this.storages.get(storage).remove(ref);
    await this.work.run(ref.workspaceId, async tx => {
      const [deleted] = await tx.query<{ bytes: number }>(DELETE_FILE, [ref.workspaceId, ref.id]);
      if (deleted && deleted.bytes > 0) tx.countUsage('bytes', -deleted.bytes);
    });
  }

  private async writeChunks(
    ref: FileRef,
    cipher: FileCipher,
    maxBytes: number,
    content: AsyncIterable<Uint8Array>,
  ): Promise<{ bytes: number; sha256: string }> {
    const writer = await this.storages.current.openWriter(ref);
    const hash = createHash('sha256');
    let bytes = 0;
    let position = 0;
    try {
      for await (const chunk of cutIntoChunks(content)) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw toTooLargeError(maxBytes);
        this.quotas.check(ref.workspaceId, 'bytes', bytes);
        hash.update(chunk);
        await writer.write(position, cipher.encrypt(position, chunk));
        position++;
      }
      await writer.commit();
    } finally {
      await writer.close();
    }
    return { bytes, sha256: hash.digest('hex') };
  }

  private async findRow({ workspaceId, plugin }: FileOwner, id: string): Promise<FileRow | undefined> {
    if (!UUID.test(id)) return undefined;
    const [row] = await this.work.run(workspaceId, tx => tx.query<FileRow>(SELECT_FILE, [workspaceId, id]));
    return row?.plugin === plugin ? row : undefined;
  }

  private toCipher(workspaceId: string, { id, sealedKey }: FileRow): FileCipher {
    return new FileCipher(id, Buffer.from(this.box.open(toFileKeyPlace(workspaceId, id), sealedKey), 'base64'));
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns the authenticated context under which the key of a file is sealed. */
export function toFileKeyPlace(workspace: string, fileId: string): SecretContext {
  return { workspace, owner: fileId, field: 'file.key' };
}

/** 413: the file is larger than the plan or the route allows. */
export function toTooLargeError(maxBytes: number): HubError {
  const detail = `The file has more than ${maxBytes} bytes, the most that is accepted here. Split it into several files.`;
  return new HubError('too_large', { detail, extra: { max: maxBytes } });
}

async function* readChunks(
  { id, bytes }: FileRow,
  reader: ChunkReader,
  cipher: FileCipher,
  from: number,
  to: number,
): AsyncGenerator<Buffer> {
  try {
    for (let position = Math.floor(from / CHUNK_BYTES); position * CHUNK_BYTES < to; position++) {
      const start = position * CHUNK_BYTES;
      const length = Math.min(CHUNK_BYTES, bytes - start);
      const sealed = await reader.read(position, length + CHUNK_OVERHEAD_BYTES);
      if (!sealed) throw new CorruptFileError(`Chunk ${position} of the file ${id} is missing.`);
      yield cipher.decrypt(position, sealed).subarray(Math.max(0, from - start), Math.min(length, to - start));
    }
  } finally {
    await reader.close();
  }
}

/** The file was stored by a process with another disk: an operator has to fix the settings. */
function toMissingContentError({ id, storage }: FileRow): HubError {
  const error = new CorruptFileError(
    `The content of the file ${id} is not on the ${storage} of this process. Processes that do not share DATA_DIR need FILES=postgres.`,
  );
  return HubError.unavailable('The content of the file cannot be read by this process.', error);
}

function toRecord({ storage: _storage, sealedKey: _sealedKey, ...record }: FileRow): FileRecord {
  return record;
}
