import { Injectable } from '@nestjs/common';
import {
  type FileInfo,
  type HubContext,
  isPermanentError,
  type RouteRequest,
  type FailureResponse,
  type RouteUpload,
  type ResponseOf,
} from '@rapport/plugin-sdk';
import { type DetectedEncoding, EncodingDetector } from '../reading/encoding.js';
import {
  MAX_COLUMNS,
  findImport,
  findUnfinishedRun,
  type ImportRecord,
  listImports,
  removeImport,
  saveImport,
  toImportId,
} from './import-store.js';
import { presentImport, presentPreview, readyFile } from './preview.js';
import {
  chooseSheet,
  looksLikeWorkbook,
  MAX_WORKBOOK_BYTES,
  toCsv,
  UnreadableWorkbookError,
  WORKBOOK_HEAD_BYTES,
} from '../reading/workbook.js';
import { createNotFoundResponse, toErrorResponse } from './responses.js';
import { nameEncoding, parseOptions, type UploadOptions } from './upload-options.js';
import { plugin } from '../plugin.js';

const FILE_TTL_MS = 30 * 86_400_000;
const DEFAULT_PAGE = 50;

/** Uploads, and what became of them. */
@Injectable()
export class UploadRoutes {
  @plugin.OnRoute('upload')
  async upload({ upload, query }: RouteRequest<never>, hub: HubContext): Promise<ResponseOf<typeof plugin, 'upload'>> {
    const parsed = parseOptions({ ...query, ...upload!.fields });
    if ('error' in parsed) return parsed.error;
    const { options } = parsed;
    const detector = new EncodingDetector();
    const stored = await storeUpload(hub, upload!, options, detector);
    if ('error' in stored) return stored.error;
    const { file, workbook } = stored;
    const encoding = workbook
      ? OF_WORKBOOK
      : options.encoding === undefined
        ? detector.detect()
        : nameEncoding(options.encoding, detector.head);
    const refuse = async (error: string, detail: string): Promise<FailureResponse> => {
      await hub.files.delete(file.id);
      return toErrorResponse(error, detail);
    };
    if ('error' in encoding) return refuse('unreadable_encoding', encoding.error);
    const id = toImportId(file.sha256);
    const known = await findImport(hub.store, id);
    const now = hub.clock.now().toISOString();
    const record: ImportRecord = {
      id,
      file: file.id,
      file_name: file.name,
      bytes: file.bytes,
      encoding,
      workbook,
      options: { delimiter: workbook ? ',' : options.delimiter, header_line: options.header_line },
      file_date: options.file_date ?? known?.file_date ?? now,
      created_at: known?.created_at ?? now,
      file_expires_at: file.expiresAt.toISOString(),
      runs: known?.runs ?? [],
    };
    try {
      const ready = await readyFile(hub, record);
      if (ready.format.header.length > MAX_COLUMNS) {
        return await refuse('too_many_columns', `The file has more than ${MAX_COLUMNS} columns. Delete some.`);
      }
      await saveImport(hub.store, record);
      if (known && known.file !== file.id && !(await findUnfinishedRun(hub, known))) await hub.files.delete(known.file);
      const preview = await presentPreview(hub, record, ready);
      return { status: known ? 200 : 201, body: { import: { ...(await presentImport(hub, record)), ...preview } } };
    } catch (error) {
      if (!isPermanentError(error)) throw error;
      return refuse('empty_file', error.message);
    }
  }

  @plugin.OnRoute('list')
  async list({ query }: RouteRequest<never>, hub: HubContext): Promise<ResponseOf<typeof plugin, 'list'>> {
    const page = await listImports(hub.store, { after: query['after'], limit: Number(query['limit'] ?? DEFAULT_PAGE) });
    const imports = await Promise.all(page.imports.map(record => presentImport(hub, record)));
    return { body: { imports, next: page.next } };
  }

  @plugin.OnRoute('read')
  async read({ params }: RouteRequest<never>, hub: HubContext): Promise<ResponseOf<typeof plugin, 'read'>> {
    const record = await findImport(hub.store, params['id']!);
    if (!record) return createNotFoundResponse();
    const shown = await presentImport(hub, record);
    if (!(await hub.files.info(record.file))) return { body: { import: { ...shown, ...NO_PREVIEW } } };
    const preview = await presentPreview(hub, record, await readyFile(hub, record));
    return { body: { import: { ...shown, ...preview } } };
  }

  @plugin.OnRoute('remove')
  async remove({ params }: RouteRequest<never>, hub: HubContext): Promise<ResponseOf<typeof plugin, 'remove'>> {
    const record = await findImport(hub.store, params['id']!);
    if (!record) return createNotFoundResponse();
    if (await findUnfinishedRun(hub, record)) {
      return toErrorResponse('import_running', 'A run reads the file. Cancel it, or wait for its end.', undefined, 409);
    }
    await hub.files.delete(record.file);
    await removeImport(hub.store, record);
    return { body: { ok: true } };
  }
}

/** The preview of an import whose file has expired. */
const NO_PREVIEW = { dialect: null, mapping: null, sample: [], foreseen: null };

/** How the CSV of a workbook is encoded. */
const OF_WORKBOOK: DetectedEncoding = {
  encoding: 'utf-8',
  reason: 'The file is an Excel workbook.',
  bomBytes: 0,
  doubtfulLine: null,
};

/** The bytes to store: those of the file, or the CSV of a sheet if it is a workbook. */
interface UploadSource {
  readonly stream: AsyncIterable<Uint8Array>;
  readonly workbook: ImportRecord['workbook'];
}

async function storeUpload(
  hub: HubContext,
  upload: RouteUpload,
  { sheet }: UploadOptions,
  detector: EncodingDetector,
): Promise<
  { readonly file: FileInfo; readonly workbook: ImportRecord['workbook'] } | { readonly error: FailureResponse }
> {
  const { fileName: name = 'import.csv', contentType } = upload;
  try {
    const { stream, workbook } = await openUpload(upload, sheet);
    const input = { name, contentType: workbook ? 'text/csv' : contentType, expiresInMs: FILE_TTL_MS };
    return { file: await hub.files.write(input, watch(stream, detector)), workbook };
  } catch (error) {
    if (!(error instanceof UnreadableWorkbookError)) throw error;
    return { error: toErrorResponse('unsupported_file', error.message, error.field) };
  }
}

/** Looks at the first bytes of an upload, and reads a workbook as a whole. @throws UnreadableWorkbookError */
async function openUpload({ stream }: RouteUpload, sheet: string | undefined): Promise<UploadSource> {
  const rest = stream[Symbol.asyncIterator]();
  const begun: Uint8Array[] = [];
  for (let bytes = 0; bytes < WORKBOOK_HEAD_BYTES; bytes += begun.at(-1)!.length) {
    const { done, value } = await rest.next();
    if (done) break;
    begun.push(value);
  }
  const whole = concatenate(begun, rest);
  if (!looksLikeWorkbook(Buffer.concat(begun))) return { stream: whole, workbook: null };
  const bytes = await readWorkbook(whole);
  const { name, sheets } = await chooseSheet(bytes, sheet);
  return { stream: toCsv(bytes, name), workbook: { sheet: name, sheets } };
}

/** Yields what was read already, and then the rest. */
async function* concatenate(begun: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* begun;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function readWorkbook(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of stream) {
    bytes += part.length;
    if (bytes > MAX_WORKBOOK_BYTES) {
      const limit = MAX_WORKBOOK_BYTES / 1_000_000;
      throw new UnreadableWorkbookError(`A workbook may have at most ${limit} MB. Save the sheet as CSV UTF-8.`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function* watch(stream: AsyncIterable<Uint8Array>, detector: EncodingDetector): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    detector.push(chunk);
    yield chunk;
  }
}
