import { fileURLToPath } from 'node:url';
import { writeXlsx } from 'hucre/xlsx';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../../plugins', import.meta.url));
const IMPORTS = '/v2/plugins/csv-import/imports';
const RUNS = '/v2/plugins/csv-import/runs';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

interface Shown {
  readonly id: string;
  readonly file_name: string;
  readonly workbook: { readonly sheet: string; readonly sheets: string[] } | null;
  readonly dialect: Record<string, unknown>;
  readonly mapping: { readonly columns: readonly { readonly field: string | null }[] };
  readonly sample: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

interface Answer {
  readonly import: Shown;
  readonly error: string;
  readonly detail: string;
  readonly details?: readonly { readonly field: string }[];
}

let hub: TestHub;
let client: Client;
beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR });
  client = await hub.workspace();
});
afterAll(() => hub?.end());

type Row = (string | number | boolean | Date | null)[];

const HEADER: Row = ['E-mail', 'Full name', 'Job title', 'Phone', 'Last contacted', 'Notes'];
const ADA: Row = [
  'ada@acme.io',
  'Ada Byron',
  'CTO',
  493012345678,
  new Date('2025-03-01T00:00:00Z'),
  'Met in "Bern",\nlikes engines.',
];
const BO: Row = ['bo@beta.io', 'Bo Ray', null, null, new Date('2025-03-02T14:30:00Z'), '=1+1'];

/** A workbook whose first sheet is hidden, with a blank row between the people. */
const people = () =>
  writeXlsx({
    sheets: [
      { name: 'Lists', hidden: true, rows: [['Stage'], ['Open']] },
      { name: 'Contacts', rows: [HEADER, ADA, [], BO] },
      { name: 'Old', rows: [['E-mail'], ['old@acme.io']] },
    ],
  });

async function upload(content: Uint8Array | string, query = '', headers = {}): Promise<Answer & { status: number }> {
  const response = await fetch(`${hub.url}${IMPORTS}${query}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${client.key}`,
      'content-type': XLSX,
      'content-disposition': 'attachment; filename="Kunden.xlsx"',
      ...headers,
    },
    body: typeof content === 'string' ? content : Buffer.from(content),
  });
  return { status: response.status, ...((await response.json()) as Answer) };
}

it('reads the first visible sheet, and keeps the numbers of its rows', async () => {
  const { status, import: shown } = await upload(await people());
  expect(status).toBe(201);
  expect(shown).toMatchObject({
    file_name: 'Kunden.xlsx',
    workbook: { sheet: 'Contacts', sheets: ['Contacts', 'Old'] },
    dialect: { encoding: 'utf-8', encoding_reason: 'The file is an Excel workbook.', delimiter: ',', header_line: 1 },
  });
  expect(shown.mapping.columns.slice(0, 4).map(({ field }) => field)).toEqual(['email', 'name', 'title', 'phone']);
  expect(shown.sample.map(({ line }) => line)).toEqual([2, 5]);
  expect(shown.sample.map(({ cells }) => cells)).toEqual([
    ['ada@acme.io', 'Ada Byron', 'CTO', '493012345678', '2025-03-01', 'Met in "Bern",\nlikes engines.'],
    ['bo@beta.io', 'Bo Ray', '', '', '2025-03-02T14:30:00.000Z', '=1+1'],
  ]);
});

it('imports its rows like those of a CSV file, once', async () => {
  const { import: shown } = await upload(await people());
  const run = async () => {
    const started = await client.post<{ run: { id: string } }>(`${IMPORTS}/${shown.id}/start`, {});
    const read = async () =>
      (await client.get<{ status: string; result: object }>(`${RUNS}/${started.body.run.id}`)).body;
    await until('the run has ended', async () => (await read()).status === 'finished');
    return (await read()).result;
  };
  expect(await run()).toMatchObject({ rows: 2, created: 2, rejected: 0 });
  const { body } = await client.get<{ claims: Record<string, { value: unknown }> }>('/v2/accounts/ada@acme.io');
  expect(body.claims['title']).toMatchObject({ value: 'CTO' });
  const again = await upload(await people());
  expect([again.status, again.import.id]).toEqual([200, shown.id]);
});

it('reads another sheet by its name, also from a form', async () => {
  const { import: shown } = await upload(await people(), '?sheet=Old');
  expect(shown).toMatchObject({ workbook: { sheet: 'Old' }, sample: [{ cells: ['old@acme.io'] }] });
  const form = new FormData();
  form.append('sheet', 'Old');
  form.append('file', new Blob([Buffer.from(await people())], { type: XLSX }), 'old.xlsx');
  const headers = { authorization: `Bearer ${client.key}` };
  const sent = await fetch(hub.url + IMPORTS, { method: 'POST', headers, body: form });
  expect(await sent.json()).toMatchObject({ import: { id: shown.id, file_name: 'old.xlsx' } });
});

it('says of a text file that it has no sheets', async () => {
  const { import: shown } = await upload('E-mail\nada@acme.io\n', '', { 'content-type': 'text/csv' });
  expect(shown.workbook).toBeNull();
});

it('reads many rows without holding them', async () => {
  const rows = Array.from({ length: 20_000 }, (_, n): Row => [`p${n}@acme${n % 50}.io`, `Person ${n}`, 'CTO']);
  const { status, import: shown } = await upload(
    await writeXlsx({ sheets: [{ name: 'All', rows: [HEADER, ...rows] }] }),
  );
  expect([status, shown.sample.length]).toEqual([201, 20]);
});

/** Makes the directory of an archive say that a part is larger than it is: the size stands 22 bytes before the name. */
function inflated(archive: Uint8Array): Uint8Array {
  const bytes = Buffer.from(archive);
  bytes.writeUInt32LE(4_000_000_000, bytes.lastIndexOf('xl/workbook.xml') - 22);
  return bytes;
}

it.each<[string, () => Promise<Uint8Array> | Uint8Array, string, string, string | undefined]>([
  ['a sheet that is not there', people, '?sheet=Nope', 'no visible sheet "Nope", but Contacts, Old', 'sheet'],
  ['a hidden sheet', people, '?sheet=Lists', 'no visible sheet "Lists"', 'sheet'],
  [
    'a password',
    () => writeXlsx({ sheets: [{ name: 'A', rows: [['x']] }], encryption: { password: 'p', spinCount: 10 } }),
    '',
    'password',
    undefined,
  ],
  ['an archive of something else', () => Buffer.from('PK\u0003\u0004 nothing'), '', 'no Excel workbook', undefined],
  ['a torn workbook', async () => (await people()).subarray(0, 900), '', 'no Excel workbook', undefined],
  [
    'what is too large',
    () => Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(100_000_000)]),
    '',
    'at most 100 MB',
    undefined,
  ],
  ['more in it than its rows', async () => inflated(await people()), '', 'holds too much', undefined],
])('refuses %s, and stores nothing', async (_, content, query, detail, field) => {
  const before = (await hub.database.pool.query('SELECT FROM files')).rowCount;
  const answer = await upload(await content(), query);
  expect(answer).toMatchObject({
    status: 400,
    error: 'unsupported_file',
    detail: expect.stringContaining(detail) as string,
  });
  expect(answer.details?.[0]?.field).toBe(field);
  expect((await hub.database.pool.query('SELECT FROM files')).rowCount).toBe(before);
});

it('is not read with another delimiter or encoding, but with another header', async () => {
  const { import: shown } = await upload(await people());
  const change = (body: object) => client.patch<Answer>(`${IMPORTS}/${shown.id}`, body);
  expect(await change({ header_line: 1, delimiter: ';' })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'delimiter' }] },
  });
  expect(await change({ encoding: 'utf-8' })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'encoding' }] },
  });
  const { body } = await change({ header_line: 0 });
  expect(body.import.sample[0]).toMatchObject({ line: 1, cells: expect.arrayContaining(['Full name']) });
});
