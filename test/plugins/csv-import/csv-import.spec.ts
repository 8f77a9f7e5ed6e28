import { fileURLToPath } from 'node:url';
import { eraseWholly } from '../../support/graph/erasure-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../../plugins', import.meta.url));
const IMPORTS = '/v2/plugins/csv-import/imports';
const RUNS = '/v2/plugins/csv-import/runs';

interface Column {
  readonly index: number;
  readonly header: string;
  readonly field: string | null;
  readonly property: string | null;
}
interface Shown {
  readonly id: string;
  readonly dialect: Record<string, unknown>;
  readonly mapping: { readonly from: string; readonly columns: readonly Column[] };
  readonly sample: readonly { readonly line: number }[];
  readonly foreseen: Record<string, unknown>;
  readonly runs: readonly Record<string, unknown>[];
}
interface Run {
  readonly id: string;
  readonly status: string;
  readonly error: string | null;
  readonly reported: number;
  readonly result: Record<string, number> & {
    readonly outcomes?: Record<string, number>;
    readonly rejections: readonly { readonly field: string | null; readonly error: string; readonly rows: number }[];
  };
}

let hub: TestHub;
let client: Client;
beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR });
  client = await hub.workspace();
});
afterAll(() => hub?.end());

async function upload(content: string | Buffer, { by = client, query = '', headers = {} } = {}) {
  const response = await fetch(`${hub.url}${IMPORTS}${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.key}`, 'content-type': 'text/csv', ...headers },
    body: content,
  });
  const body = (await response.json()) as { import: Shown; error: string; detail: string };
  return { status: response.status, body, shown: body.import };
}
async function start(id: string, body: object = {}, by = client): Promise<Run> {
  const started = await by.post<{ run: { id: string } }>(`${IMPORTS}/${id}/start`, body);
  expect(started).toMatchObject({ status: 202 });
  const read = async () => (await by.get<Run>(`${RUNS}/${started.body.run.id}`)).body;
  await until('the run has ended', async () => ['finished', 'failed'].includes((await read()).status));
  const run = await read();
  expect(run).toMatchObject({ status: 'finished', error: null });
  return run;
}
/** Returns what an import and its dry run both count. */
function withoutOutcomes({ result: { outcomes, ...counts } }: Run): object {
  expect(outcomes).toBeDefined();
  return counts;
}
const countObservations = async (by = client) =>
  Number(
    (
      await hub.database.pool.query<{ count: string }>('SELECT count(*) FROM observations WHERE workspace_id = $1', [
        by.workspaceId,
      ])
    ).rows[0]!.count,
  );

const PEOPLE = `Name;E-Mail;Position;Firma;Webseite;Mitarbeiter;Notizen
"Byron, Ada";ada@acme.de;CTO;Acme, Inc;https://www.acme.de;1.200;"Met in ""Berlin"".
Likes engines."
Bo Ray;bo@beta.de;Buyer;Beta;;;
Ada Byron;ADA@acme.de;CTO;Acme, Inc;;;
Nobody;;=1+1;Gamma;;;
Cy;cy.beta.de;;;;;
`;

describe('the rows of a dry run', () => {
  interface Foreseen {
    readonly rows: readonly { readonly line: number; readonly name: string | null; readonly changes: unknown[] }[];
    readonly next: string | null;
  }
  const list = (id: string, query: string, by: Client) => by.get<Foreseen>(`${IMPORTS}/${id}/rows?${query}`);
  const FILE = [
    'Name,Email,Title,City',
    'Ada Byron,ada@acme.example,CFO,Berlin',
    'Bo Ray,bo@acme.example,Buyer,Bonn',
    'Cy Fox,cy@acme.example,CTO,Celle',
    'Di Orr,di@acme.example,COO,Dresden',
    'Di Orr,di@acme.example,COO,Dresden',
    'Ed,"""ed""",,',
    'Flo,flo,,',
    '',
  ].join('\n');

  it('tells what each row of the whole file would do, and lists them', async () => {
    const own = await hub.workspace();
    await own.post('/v2/people', { email: 'ada@acme.example', name: 'Ada Byron', title: 'CFO', city: 'Berlin' });
    await own.post('/v2/people', { email: 'bo@acme.example', name: 'Bo Ray', title: 'Head of Sales', city: 'Bonn' });
    await own.post('/v2/people', { email: 'cy@acme.example', name: 'Cy Fox', title: 'CTO' });
    const { shown } = await upload(FILE, { by: own });
    const before = await countObservations(own);
    const run = await start(shown.id, { dry_run: true }, own);
    expect(run.result).toMatchObject({
      rows: 7,
      outcomes: { created: 1, adding: 1, unchanged: 1, contradicting: 1, repeated: 1, rejected: 2 },
      rejections: [{ field: 'email', rows: 2, line: 7, error: expect.stringContaining('"…"') }],
    });
    expect(await countObservations(own)).toBe(before);
    const linesOf = async (outcome: string) => {
      const { body } = await list(shown.id, `run=${run.id}&outcome=${outcome}`, own);
      return body.rows.map(({ line }) => line);
    };
    expect(await Promise.all(['unchanged', 'created', 'repeated', 'rejected'].map(linesOf))).toEqual([
      [2],
      [5],
      [6],
      [7, 8],
    ]);
    const contradicting = await list(shown.id, `run=${run.id}&outcome=contradicting`, own);
    expect(contradicting.body.rows).toEqual([
      {
        line: 3,
        name: 'Bo Ray',
        focus: 'bo@acme.example',
        changes: [{ property: 'title', known: 'Head of Sales', given: 'Buyer' }],
        field: null,
        error: null,
      },
    ]);
    const adding = await list(shown.id, `run=${run.id}&outcome=adding`, own);
    expect(adding.body.rows).toMatchObject([{ changes: [{ property: 'city', known: null, given: 'Celle' }] }]);
    const first = (await list(shown.id, `run=${run.id}&outcome=rejected&limit=1`, own)).body;
    const second = await list(shown.id, `run=${run.id}&outcome=rejected&limit=1&after=${first.next}`, own);
    expect([first.rows[0]!.line, second.body.rows[0]!.line, second.body.next]).toEqual([7, 8, null]);
    expect((await start(shown.id, {}, own)).result).not.toHaveProperty('outcomes');
  });

  it('finds nothing new in a file that was imported', async () => {
    const own = await hub.workspace();
    const file = [
      'First Name,Last Name,Email,Phone,Mobile,Job Title,Company,Website,Employees,Tags,City,Country,LinkedIn URL,Team',
      'Ada,Byron,ada@acme.example,+49 30 1234567,+49 170 1234567,CTO,Acme Inc.,acme.example,120,"vip,eu",Berlin,Germany,https://linkedin.com/in/adab,North',
      'Bo,Ray,bo@beta.example,,,VP Sales,Beta,beta.example,51-200,,Bonn,DE,,South',
    ].join('\n');
    const { shown } = await upload(file, { by: own });
    const columns = [{ index: 13, field: null, property: 'team' }];
    await start(shown.id, { columns }, own);
    const again = await start(shown.id, { dry_run: true }, own);
    const { body } = await list(shown.id, `run=${again.id}&outcome=adding`, own);
    expect(body.rows).toEqual([]);
    expect(again.result.outcomes).toMatchObject({ unchanged: 2, adding: 0, contradicting: 0 });
    const more = await upload(file.replace('"vip,eu"', '"vip,eu,new"').replace('North', 'West'), { by: own });
    const changed = await start(more.shown.id, { dry_run: true }, own);
    const { rows } = (await list(more.shown.id, `run=${changed.id}&outcome=contradicting`, own)).body;
    expect(rows[0]!.changes).toEqual([
      { property: 'team', known: 'North', given: 'West' },
      { property: 'keywords', known: null, given: '["vip","eu","new"]' },
    ]);
  });

  it('refuses an outcome that does not exist', async () => {
    const { shown } = await upload(FILE);
    const { status, body } = await list(shown.id, 'run=01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17&outcome=lost', client);
    expect([status, body]).toMatchObject([400, { error: 'invalid_request' }]);
  });
});

describe('PATCH /v2/plugins/csv-import/imports/:id', () => {
  it('reads the file otherwise, without a new upload', async () => {
    const { shown } = await upload('Kunden\nName|E-Mail;x\nMüller|m@acme.example;1\n');
    const change = (body: object) =>
      client.patch<{ import: Shown; error: string; details: { field: string }[] }>(`${IMPORTS}/${shown.id}`, body);
    const { body } = await change({ delimiter: '|', header_line: 2, file_date: '2025-03-31' });
    expect(body.import).toMatchObject({
      dialect: { delimiter: '|', header_line: 2 },
      file_date: '2025-03-31T00:00:00.000Z',
      mapping: { columns: [{ header: 'Name' }, { header: 'E-Mail;x' }] },
    });
    expect((await client.get<{ import: Shown }>(`${IMPORTS}/${shown.id}`)).body.import.dialect).toMatchObject({
      delimiter: '|',
    });
    const latin = await change({ encoding: 'windows-1252' });
    expect(latin.body.import.dialect).toMatchObject({ encoding: 'windows-1252', encoding_reason: 'It was given.' });
    expect(await change({ delimiter: '""' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'delimiter' }] },
    });
    expect(await change({})).toMatchObject({ status: 400 });
  });

  it('returns 404 for an ID that no import has', async () => {
    expect((await client.patch(`${IMPORTS}/0000000000000000`, { delimiter: ';' })).status).toBe(404);
  });
});

describe('a property of the user’s own', () => {
  it('is stated by a column, of the person or of the company, and is saved with the mapping', async () => {
    const own = await hub.workspace();
    const file = 'Name,Email,Renewal,Code\nAda Byron,ada@acme.example,7,0042\n';
    const { shown } = await upload(file, { by: own });
    const columns = [
      { index: 2, field: null, property: 'renewal_month' },
      { index: 3, field: null, property: 'site_code' },
    ];
    await start(shown.id, { columns }, own);
    const { body } = await own.get<{ claims: Record<string, { value: unknown }> }>('/v2/accounts/ada@acme.example');
    expect([body.claims['renewal_month']!.value, body.claims['site_code']!.value]).toEqual([7, '0042']);
    const again = await upload(file.replace('0042', '0043'), { by: own });
    expect(again.shown.mapping.columns[2]).toMatchObject({ field: null, property: 'renewal_month' });

    const companies = await upload('Company,Domain,Renewal\nAcme,acme.example,8\n', { by: own });
    const ofCompany = { index: 2, field: null, property: 'renewal_month' };
    await start(companies.shown.id, { target: 'companies', columns: [ofCompany] }, own);
    const company = await own.get<typeof body>('/v2/accounts/acme.example');
    expect(company.body.claims['renewal_month']!.value).toBe(8);
  });

  it('cannot have the name of a field, stand beside one, or be stated twice', async () => {
    const { shown } = await upload('Name,Email,A,B\nAda Byron,ada@acme.example,1,2\n');
    const refuse = async (columns: object[]) => {
      const { status, body } = await client.post<{ detail: string }>(`${IMPORTS}/${shown.id}/start`, { columns });
      expect(status).toBe(400);
      return body.detail;
    };
    expect(await refuse([{ index: 2, field: null, property: 'title' }])).toContain('Send it as `field`');
    expect(await refuse([{ index: 2, field: 'title', property: 'level' }])).toContain('Send one of them');
    expect(
      await refuse([
        { index: 2, field: null, property: 'level' },
        { index: 3, field: null, property: 'level' },
      ]),
    ).toContain('two columns');
  });
});

describe('POST /v2/plugins/csv-import/imports', () => {
  it('stores a file and shows how it will be read', async () => {
    await client.post('/v2/people', { email: 'bo@beta.de', name: 'Bo Ray', title: 'Head of Purchasing' });
    const { status, shown } = await upload(PEOPLE, {
      headers: { 'content-disposition': 'attachment; filename="Kunden.csv"' },
    });
    expect(status).toBe(201);
    expect(shown).toMatchObject({
      file_name: 'Kunden.csv',
      bytes: Buffer.byteLength(PEOPLE),
      dialect: { encoding: 'utf-8', delimiter: ';', header_line: 1, doubtful_line: null, preamble: [] },
      runs: [],
    });
    expect(shown.mapping.columns.map(({ field }) => field)).toEqual(
      'name email title company company_domain company_headcount note'.split(' '),
    );
    expect(shown.sample.map(({ line }) => line)).toEqual([2, 4, 5, 6, 7]);
    expect(shown.foreseen).toMatchObject({
      rows: 5,
      rejected: 2,
      repeated: 1,
      repeated_lines: [5],
      known: 1,
      conflict_examples: [{ line: 4, field: 'title', known: 'Head of Purchasing', given: 'Buyer' }],
    });
  });

  it('foresees no conflict where the file says the same in other words', async () => {
    await client.post('/v2/people', { email: 'cy@beta.de', name: 'Cy Ray', title: 'Vice President of Sales at Beta' });
    const { shown } = await upload('Name,Email,Title\nCY RAY,cy@beta.de,VP Sales\n');
    expect(shown.foreseen).toMatchObject({ known: 1, conflicts: 0 });
  });

  it('takes a form with options, and the same file as the same import', async () => {
    const form = new FormData();
    form.append('delimiter', 'tab');
    form.append('file_date', '2025-03-31');
    form.append('file', new Blob(['A\tB\nada@acme.io\tx\n'], { type: 'text/plain' }), 'a.txt');
    const send = () =>
      fetch(hub.url + IMPORTS, { method: 'POST', headers: { authorization: `Bearer ${client.key}` }, body: form });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([201, 200]);
    const [one, two] = (await Promise.all([first.json(), second.json()])) as { import: Shown }[];
    expect(two!.import).toEqual({ ...one!.import, file_expires_at: expect.any(String) });
    expect(one!.import).toMatchObject({ dialect: { delimiter: '\t' }, file_date: '2025-03-31T00:00:00.000Z' });
  });

  it('reads windows-1252 and names the line, and refuses what it cannot read', async () => {
    const { shown } = await upload(Buffer.from('Name;E-Mail\nMüller;m@acme.de\n', 'latin1'));
    expect(shown.dialect).toMatchObject({
      encoding: 'windows-1252',
      doubtful_line: 2,
      doubtful_text: 'Müller;m@acme.de',
    });
    const damaged = Buffer.concat([Buffer.from('Name;E-Mail\nJörg Groß;j@a.de\n'), Buffer.from('Zoë', 'latin1')]);
    expect((await upload(damaged)).body).toMatchObject({
      error: 'unreadable_encoding',
      detail: expect.stringContaining('Line 3'),
    });
    expect((await upload(damaged, { query: '?encoding=windows-1252' })).status).toBe(201);
    expect((await upload('')).body).toMatchObject({ error: 'empty_file' });
    expect((await upload('PK\u0003\u0004xx')).body).toMatchObject({ error: 'unsupported_file' });
    expect((await upload('a\n', { query: '?encoding=utf-7' })).status).toBe(400);
  });
});

describe('POST /v2/plugins/csv-import/imports/:id/start', () => {
  it('imports what its dry run counted, and nothing twice', async () => {
    const own = await hub.workspace();
    await own.post('/v2/people', { email: 'bo@beta.de', name: 'Bo Ray' });
    const { shown } = await upload(PEOPLE, { by: own });
    const before = await countObservations(own);
    const rejections = [
      { field: 'email', line: 6, rows: 1, error: expect.stringContaining('no e-mail address') },
      { field: 'email', line: 7, rows: 1, error: expect.stringContaining('not an e-mail address: "…"') },
    ];
    const counts = { rows: 5, created: 1, matched: 2, rejected: 2, notes: 1, rejections };
    const outcomes = { created: 1, adding: 1, unchanged: 0, contradicting: 0, repeated: 1, rejected: 2 };
    expect((await start(shown.id, { dry_run: true }, own)).result).toEqual({ ...counts, outcomes });
    expect(await countObservations(own)).toBe(before);
    const run = await start(shown.id, {}, own);
    expect(run.result).toEqual(counts);
    expect(run.reported).toBe(2);
    const { body } = await own.get<{ claims: Record<string, { value: unknown }>; notes: { title: string }[] }>(
      '/v2/accounts/ada@acme.de?claims=map',
    );
    expect(body.notes).toMatchObject([{ title: 'Met in "Berlin".' }]);
    expect(JSON.stringify(body.claims)).toContain('CTO');
    const company = await own.get<{ claims: unknown }>('/v2/accounts/acme.de');
    expect(JSON.stringify(company.body.claims)).toContain('1200');
    const report = await fetch(`${hub.url}${RUNS}/${run.id}/report`, {
      headers: { authorization: `Bearer ${own.key}` },
    });
    const lines = (await report.text()).split('\r\n');
    expect(lines[0]).toBe('at,field,error,Name,E-Mail,Position,Firma,Webseite,Mitarbeiter,Notizen');
    expect(lines[1]).toMatch(/^6,email,.*,Nobody,,'=1\+1,Gamma,,,$/);
    expect(lines[2]).toMatch(/^7,email,"`email` is not an e-mail address: ""cy\.beta\.de"".*"?,Cy,cy\.beta\.de,/);
    const { body: detail } = await own.get<{ import: Shown }>(`${IMPORTS}/${shown.id}`);
    expect(detail.import.runs).toMatchObject([
      { dry_run: false, status: 'finished', rejected: 2 },
      { dry_run: true, status: 'finished' },
    ]);
    const corrected = lines.map(line => line.replace('Nobody,,', 'Nobody,nobody@acme.de,')).join('\n');
    const again = await upload(corrected, { by: own });
    expect(again.shown.mapping.from).toBe('saved');
    const fields = again.shown.mapping.columns.map(({ field }) => field);
    expect(fields.slice(0, 5)).toEqual([null, null, null, 'name', 'email']);
    expect((await start(again.shown.id, {}, own)).result).toMatchObject({ rows: 2, created: 1, rejected: 1 });
  });

  it('changes nothing when the same file is imported again, whatever its name', async () => {
    const own = await hub.workspace();
    const { shown } = await upload(PEOPLE, { by: own });
    await start(shown.id, {}, own);
    const readClaims = async () => (await own.get<{ claims: object }>('/v2/accounts/ada@acme.de')).body.claims;
    const [observations, claims] = [await countObservations(own), await readClaims()];
    const again = await upload(PEOPLE, { by: own, headers: { 'content-disposition': 'attachment; filename="b.csv"' } });
    expect(again).toMatchObject({ status: 200, shown: { id: shown.id } });
    expect((await start(shown.id, { save_mapping: false }, own)).result).toMatchObject({ created: 0, matched: 3 });
    expect(await countObservations(own)).toBe(observations);
    expect(await readClaims()).toEqual(claims);
  });

  it('records with the source of the import', async () => {
    const own = await hub.workspace();
    const { shown } = await upload('Email,Title\nada@acme.io,CTO\n', { by: own });
    await start(shown.id, {}, own);
    const { rows } = await hub.database.pool.query<{ source: string }>(
      "SELECT DISTINCT source FROM observations WHERE workspace_id = $1 AND source LIKE 'csv%'",
      [own.workspaceId],
    );
    expect(rows).toEqual([{ source: `csv:${shown.id}` }]);
  });

  it('remembers the mapping of a header, and takes another one', async () => {
    const own = await hub.workspace();
    const first = await upload('Foo,Mail\nBuyer,ada@acme.io\n', { by: own });
    expect(first.shown.mapping).toMatchObject({ from: 'proposed', columns: [{ field: null }, { field: 'email' }] });
    await start(first.shown.id, { columns: [{ index: 0, field: 'title' }] }, own);
    const second = await upload('foo,MAIL\nCTO,bo@acme.io\n', { by: own });
    expect(second.shown.mapping).toMatchObject({ from: 'saved', columns: [{ field: 'title' }, { field: 'email' }] });
  });

  it('says what is missing before it starts', async () => {
    const { shown } = await upload('Name,Stadt\nAda,Berlin\n');
    const refuse = async (id: string, body: object) =>
      (await client.post<{ error: string; detail: string }>(`${IMPORTS}/${id}/start`, body)).body;
    expect(await refuse(shown.id, {})).toMatchObject({
      error: 'no_identifier',
      detail: expect.stringContaining('`email` or `linkedin_url`'),
    });
    expect(await refuse(shown.id, { columns: [{ index: 9, field: 'email' }] })).toMatchObject({
      detail: expect.stringContaining('column 9'),
    });
    const dates = await upload('Email,Last Modified\nada@acme.io,03/04/2025\n');
    expect(await refuse(dates.shown.id, {})).toMatchObject({ error: 'date_order_required' });
    expect(await refuse('unknown', {})).toMatchObject({ error: 'import_not_found' });
  });

  it('imports companies by their domain', async () => {
    const own = await hub.workspace();
    const text = 'Company,Website,Industry\nAcme,https://acme.io/about,Software\nNameless,,Steel\n';
    const { shown } = await upload(text, { by: own });
    expect((await start(shown.id, { target: 'companies' }, own)).result).toMatchObject({ created: 1, rejected: 1 });
    const { body } = await own.get<{ entity: { type: string; name: string } }>('/v2/accounts/acme.io');
    expect(body.entity).toMatchObject({ type: 'company', name: 'Acme' });
  });
});

describe('the target leads', () => {
  const GUESTS = `Name;E-Mail;Position;Stand;Nr
Ada Byron;ada@gmail.com;CTO;yes;1
Bo Ray;bo@gmail.com;Buyer;;2
Ada Byron;ADA@gmail.com;CTO;no;3
Nobody;;COO;yes;4
Cy Fox;cy@gmail.com;VP Sales;no;5
`;
  interface Leads {
    readonly leads: readonly {
      readonly email: string;
      readonly fields: object;
      readonly priority: number | null;
      readonly list_id: string;
    }[];
  }
  const readLeads = async (own: Client, list: string) =>
    (await own.get<Leads>(`/v2/leads?list_id=${list}&limit=100`)).body.leads;

  it('adds each person once, scored, with the columns that state nothing, as the dry run counted', async () => {
    const own = await hub.workspace();
    await own.post('/v2/leads', { list: 'Fair', email: 'bo@gmail.com' });
    const { shown } = await upload(GUESTS, { by: own });
    const body = { target: 'leads', list: 'Fair' };
    const counts = { rows: 5, created: 2, matched: 2, rejected: 1, notes: 0, leads: 2 };
    const before = await countObservations(own);
    expect((await start(shown.id, { ...body, dry_run: true }, own)).result).toMatchObject(counts);
    expect(await countObservations(own)).toBe(before);
    const { result } = await start(shown.id, body, own);
    expect(result).toMatchObject(counts);
    const leads = await readLeads(own, String(result['list_id']));
    expect(leads.map(({ email }) => email).toSorted()).toEqual(['ada@gmail.com', 'bo@gmail.com', 'cy@gmail.com']);
    const ada = leads.find(({ email }) => email === 'ada@gmail.com');
    expect(ada).toMatchObject({ fields: { Stand: 'yes', Nr: '1' }, priority: expect.any(Number) });
    const again = await start(shown.id, { ...body, save_mapping: false }, own);
    expect(again.result).toMatchObject({ created: 0, matched: 4, leads: 0, list_id: result['list_id'] });
    expect(await readLeads(own, String(result['list_id']))).toHaveLength(3);
  });

  it('creates a list of the name of the file', async () => {
    const own = await hub.workspace();
    const headers = { 'content-disposition': 'attachment; filename="Fair 2026.csv"' };
    const { shown } = await upload(GUESTS, { by: own, headers });
    expect((await start(shown.id, { target: 'leads', dry_run: true }, own)).result).toMatchObject({ list_id: null });
    await start(shown.id, { target: 'leads' }, own);
    const lists = await own.get<{ lists: readonly { name: string; lead_count: number }[] }>('/v2/lead-lists');
    expect(JSON.stringify(lists.body)).toContain('Fair 2026');
  });

  it('names the field of a list that cannot be', async () => {
    const { shown } = await upload(GUESTS);
    const send = async (body: object) => (await client.post(`${IMPORTS}/${shown.id}/start`, body)).body;
    expect(await send({ list: 'Fair' })).toMatchObject({ error: 'invalid_request', details: [{ field: 'list' }] });
    expect(await send({ target: 'leads', list: ' ' })).toMatchObject({ details: [{ field: 'list' }] });
    expect(await send({ target: 'leads', list: 'x'.repeat(201) })).toMatchObject({ error: 'invalid_request' });
  });
});

describe('rows whose identifiers the hub refuses', () => {
  it('are reported, and do not end the run', async () => {
    const own = await hub.workspace();
    const { shown } = await upload('Email,Title\nada@odd.example,CTO\na..b@odd.example,CFO\nx@odd.c0m,COO\n', {
      by: own,
    });
    const before = await countObservations(own);
    const dry = await start(shown.id, { dry_run: true }, own);
    expect(dry).toMatchObject({ status: 'finished', reported: 2, result: { rows: 3, created: 1, rejected: 2 } });
    expect(await countObservations(own)).toBe(before);
    const run = await start(shown.id, {}, own);
    expect(run).toMatchObject({ status: 'finished', reported: 2, result: withoutOutcomes(dry) });
    const { body } = await own.get<{ claims: unknown }>('/v2/accounts/ada@odd.example?claims=map');
    expect(JSON.stringify(body.claims)).toContain('CTO');
  });
});

describe('a dry run', () => {
  it('counts companies and erased people that the hub refuses as the run does', async () => {
    const own = await hub.workspace();
    await own.post('/v2/people', { email: 'gone@gmail.com', name: 'Gone' });
    // An erasure that is not finished deletes files that mention the person.
    await eraseWholly(hub, own, 'gone@gmail.com');
    const people = await upload('Email,Title\ngone@gmail.com,CTO\nada@gmail.com,CFO\n', { by: own });
    const dry = await start(people.shown.id, { dry_run: true }, own);
    expect(dry.result).toMatchObject({ created: 1, rejected: 1 });
    expect((await start(people.shown.id, {}, own)).result).toEqual(withoutOutcomes(dry));
    const companies = await upload('Company,Website\nAcme,acme.io\nShared,co.uk\n', { by: own });
    const target = { target: 'companies' };
    const counted = await start(companies.shown.id, { ...target, dry_run: true }, own);
    expect(counted.result).toMatchObject({ created: 1, rejected: 1 });
    expect((await start(companies.shown.id, target, own)).result).toEqual(withoutOutcomes(counted));
  });
});

describe('GET /v2/plugins/csv-import/imports', () => {
  it('lists imports page by page, newest first, and deletes them', async () => {
    const own = await hub.workspace();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.push((await upload(`Email\n${name}@acme.io\n`, { by: own })).shown.id);
    const page = await own.get<{ imports: Shown[]; next: string }>(`${IMPORTS}?limit=2`);
    expect(page.body.imports.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const rest = await own.get<{ imports: Shown[]; next: null }>(`${IMPORTS}?limit=2&after=${page.body.next}`);
    expect(rest.body).toMatchObject({ imports: [{ id: ids[0] }], next: null });
    expect((await own.delete(`${IMPORTS}/${ids[0]}`)).status).toBe(200);
    expect((await own.get(`${IMPORTS}/${ids[0]}`)).status).toBe(404);
    expect((await client.get(`${IMPORTS}/${ids[1]}`)).status).toBe(404);
  });

  it('returns 404 for an ID that no import can have, and 400 for one that is no text', async () => {
    const long = `${IMPORTS}/${'x'.repeat(1_000)}`;
    expect((await client.get(long)).status).toBe(404);
    expect((await client.delete(long)).status).toBe(404);
    expect((await client.get(`${IMPORTS}/a%00b`)).status).toBe(400);
  });
});
