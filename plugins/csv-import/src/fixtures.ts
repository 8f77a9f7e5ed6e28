import { createHash } from 'node:crypto';
import type { Json } from '@rapport/plugin-sdk';
import type { Fixtures, TestHub } from '@rapport/plugin-sdk/testing';
import type { ImportInput } from './imports/import.run.js';

const text = 'Name,Email,Company\nAda Byron,ada@acme.io,Acme\nNobody,,\n';
const id = createHash('sha256').update(text).digest('hex').slice(0, 16);
const at = '2026-01-05T12:00:00.000Z';
const encoding = { encoding: 'utf-8', reason: 'The file has ASCII characters only.', bomBytes: 0, doubtfulLine: null };
const record = {
  id,
  file: 'file-1',
  file_name: 'people.csv',
  bytes: text.length,
  encoding,
  options: { delimiter: null, header_line: null },
  file_date: at,
  created_at: at,
  file_expires_at: at,
  runs: [],
};

async function prepareRun(hub: TestHub): Promise<Json> {
  const { id: file } = await hub.files.write({ name: 'people.csv' }, text);
  const input: ImportInput = {
    importId: id,
    file,
    format: {
      encoding: 'utf-8',
      delimiter: ',',
      quote: '"',
      newline: '\n',
      headerLine: 1,
      header: ['Name', 'Email', 'Company'],
      dataLine: 2,
    },
    start: { offset: text.indexOf('\n') + 1, line: 2, blanks: 0 },
    mapping: { fields: ['name', 'email', 'company'], date_order: null, decimal: '.' },
    target: 'people',
    recordSystem: null,
    fileDate: at,
    leadColumns: [],
    dryRun: false,
    list: null,
  };
  return input as unknown as Json;
}

/** Examples of everything that the manifest declares, for `conformance` and `rapport plugin check`. */
export default {
  store: { [`import:${id}`]: record, [`by-time:${at}:${id}`]: id },
  runs: { import: prepareRun, undo: { importId: id, reason: 'The wrong file.', dryRun: false } },
  routes: {
    upload: { upload: { contentType: 'text/csv', fileName: 'people.csv', text } },
    list: {},
    read: { params: { id } },
    change: { params: { id }, body: { delimiter: ',' } },
    rows: { params: { id }, query: { run: '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17', outcome: 'created' } },
    start: { params: { id }, body: { dry_run: true } },
    undo: { params: { id }, body: { dry_run: true } },
    remove: { params: { id } },
  },
} satisfies Fixtures;
