import { Injectable } from '@nestjs/common';
import { type HubContext, isPermanentError, type ResponseOf, type RouteRequest } from '@rapport/plugin-sdk';
import type { Encoding } from '../reading/encoding.js';
import { plugin } from '../plugin.js';
import { listForeseenRows, type Outcome } from './dry-run.js';
import { findImport, type ImportRecord, saveImport } from './import-store.js';
import { presentImport, presentPreview, readSample, readyFile } from './preview.js';
import { createNotFoundResponse, toErrorResponse } from './responses.js';
import { nameEncoding, parseOptions } from './upload-options.js';

const DEFAULT_PAGE = 50;
/** What a workbook does not have. */
const OF_TEXT = ['encoding', 'delimiter'] as const;

/** Body of a change of how a file is read. */
interface ChangeInput {
  readonly encoding?: Encoding;
  readonly delimiter?: string;
  readonly header_line?: number;
  readonly file_date?: string;
}

/** How an uploaded file is read, and what its rows would do. */
@Injectable()
export class FileRoutes {
  @plugin.OnRoute('change')
  async change(
    { params, body = {} }: RouteRequest<ChangeInput>,
    hub: HubContext,
  ): Promise<ResponseOf<typeof plugin, 'change'>> {
    const record = await findImport(hub.store, params['id']!);
    if (!record) return createNotFoundResponse();
    if (!(await hub.files.info(record.file)))
      return toErrorResponse('file_expired', 'The file has expired. Upload it again.', undefined, 409);
    const ofText = OF_TEXT.find(name => body[name] !== undefined);
    if (record.workbook && ofText !== undefined) {
      const detail = `\`${ofText}\` is for text files; this one is a workbook. Leave it out.`;
      return toErrorResponse('invalid_request', detail, ofText);
    }
    const given = Object.entries(body).map(([name, value]) => [name, String(value)] as const);
    const parsed = parseOptions(Object.fromEntries(given));
    if ('error' in parsed) return parsed.error;
    const { encoding, delimiter, header_line } = parsed.options;
    const head = await readSample(hub, record.file);
    const changed: ImportRecord = {
      ...record,
      encoding: encoding === undefined ? record.encoding : nameEncoding(encoding, head),
      options: {
        delimiter: delimiter ?? record.options.delimiter,
        header_line: header_line ?? record.options.header_line,
      },
      file_date: parsed.options.file_date ?? record.file_date,
    };
    try {
      const preview = await presentPreview(hub, changed, await readyFile(hub, changed));
      await saveImport(hub.store, changed);
      return { body: { import: { ...(await presentImport(hub, changed)), ...preview } } };
    } catch (error) {
      if (!isPermanentError(error)) throw error;
      return toErrorResponse('empty_file', error.message);
    }
  }

  @plugin.OnRoute('rows')
  async listRows({ params, query }: RouteRequest<never>, hub: HubContext): Promise<ResponseOf<typeof plugin, 'rows'>> {
    if (!(await findImport(hub.store, params['id']!))) return createNotFoundResponse();
    const { run = '', outcome, after, limit } = query;
    const page = { after, limit: Number(limit ?? DEFAULT_PAGE) };
    const { rows, next } = await listForeseenRows(hub, run, outcome as Outcome, page);
    return { body: { rows: rows.map(row => ({ ...row, changes: row.changes.map(each => ({ ...each })) })), next } };
  }
}
