import { Injectable } from '@nestjs/common';
import {
  type HubContext,
  isPermanentError,
  type RouteRequest,
  type FailureResponse,
  type RouteUpload,
  type ResponseOf,
} from '@rapport/plugin-sdk';
import {
  BYTE_ORDER_MARKS,
  type DetectedEncoding,
  type Encoding,
  EncodingDetector,
  ENCODINGS,
} from '../reading/encoding.js';
import {
  MAX_COLUMNS,
  findImport,
  type ImportRecord,
  listImports,
  removeImport,
  saveImport,
  toImportId,
} from './import-store.js';
import { presentImport, presentPreview, readyFile } from './preview.js';
import { createNotFoundResponse, toErrorResponse } from './responses.js';
import { plugin } from '../plugin.js';

const FILE_TTL_MS = 30 * 86_400_000;
const DEFAULT_PAGE = 50;
const ZIP_HEAD = 'PK\u0003\u0004';

/** What the sender of a file says about it. */
interface UploadOptions {
  readonly encoding: Encoding | undefined;
  readonly delimiter: string | null;
  readonly header_line: number | null;
  readonly file_date: string | undefined;
}

/** Uploads, and what became of them. */
@Injectable()
export class UploadRoutes {
  @plugin.OnRoute('upload')
  async upload({ upload, query }: RouteRequest<never>, hub: HubContext): Promise<ResponseOf<typeof plugin, 'upload'>> {
    const parsed = parseOptions({ ...query, ...upload!.fields });
    if ('error' in parsed) return parsed.error;
    const { options } = parsed;
    const detector = new EncodingDetector();
    const name = upload!.fileName ?? 'import.csv';
    const file = await hub.files.write(
      { name, contentType: upload!.contentType, expiresInMs: FILE_TTL_MS },
      watch(upload!, detector),
    );
    const encoding = options.encoding === undefined ? detector.detect() : nameEncoding(options.encoding, detector.head);
    const refuse = async (error: string, detail: string): Promise<FailureResponse> => {
      await hub.files.delete(file.id);
      return toErrorResponse(error, detail);
    };
    if (detector.head.toString('latin1').startsWith(ZIP_HEAD)) {
      return refuse(
        'unsupported_file',
        'The file is a workbook or an archive. Save it as CSV UTF-8 and send that file.',
      );
    }
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
      options: { delimiter: options.delimiter, header_line: options.header_line },
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
      if (known && known.file !== file.id && !(await isFileInUse(hub, known))) await hub.files.delete(known.file);
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
    if (await isFileInUse(hub, record)) {
      return toErrorResponse('import_running', 'A run reads the file. Cancel it, or wait for its end.', undefined, 409);
    }
    await hub.files.delete(record.file);
    await removeImport(hub.store, record);
    return { body: { ok: true } };
  }
}

/** The preview of an import whose file has expired. */
const NO_PREVIEW = { dialect: null, mapping: null, sample: [], foreseen: null };

async function isFileInUse(hub: HubContext, { runs }: ImportRecord): Promise<boolean> {
  for (const { id } of runs) {
    const status = (await hub.runs.get(id))?.status;
    if (status === 'queued' || status === 'running' || status === 'paused') return true;
  }
  return false;
}

async function* watch({ stream }: RouteUpload, detector: EncodingDetector): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    detector.push(chunk);
    yield chunk;
  }
}

function nameEncoding(encoding: Encoding, head: Buffer): DetectedEncoding {
  const bom = BYTE_ORDER_MARKS.find(mark => mark.encoding === encoding);
  const hasBom = bom?.bytes.every((byte, index) => head[index] === byte) ?? false;
  return { encoding, reason: 'It was given.', bomBytes: hasBom ? bom!.bytes.length : 0, doubtfulLine: null };
}

/** Reads the options of an upload, which come from the query or from fields of the form. */
function parseOptions(
  given: Readonly<Record<string, string>>,
): { options: UploadOptions } | { error: FailureResponse } {
  const { encoding, delimiter, header_line, file_date } = given;
  if (encoding !== undefined && !(ENCODINGS as readonly string[]).includes(encoding)) {
    return {
      error: toErrorResponse('invalid_request', `\`encoding\` must be one of ${ENCODINGS.join(', ')}.`, 'encoding'),
    };
  }
  const separator = delimiter === 'tab' ? '\t' : delimiter;
  if (separator !== undefined && !/^[^"\r\n]$/.test(separator)) {
    return { error: toErrorResponse('invalid_request', '`delimiter` must be one character, or `tab`.', 'delimiter') };
  }
  if (header_line !== undefined && !/^\d{1,5}$/.test(header_line)) {
    const detail = '`header_line` must be the number of a line, or 0 for a file without a header.';
    return { error: toErrorResponse('invalid_request', detail, 'header_line') };
  }
  const date = file_date === undefined ? undefined : new Date(file_date);
  if (date && Number.isNaN(date.getTime())) {
    return { error: toErrorResponse('invalid_request', '`file_date` must be a date such as 2025-03-31.', 'file_date') };
  }
  const options = {
    encoding: encoding as Encoding | undefined,
    delimiter: separator ?? null,
    header_line: header_line === undefined ? null : Number(header_line),
    file_date: date?.toISOString(),
  };
  return { options };
}
