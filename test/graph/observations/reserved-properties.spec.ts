import { type ErrorBody, state, tryRecord } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

const RESERVED = [
  'id',
  'workspace_id',
  'entity_id',
  'entity_type',
  'created_at',
  'updated_at',
  'deleted_at',
  'constructor',
];

interface Attached {
  readonly results: readonly { readonly entity_id?: string; readonly status?: string }[];
}

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub({ ROLE: 'api' });
  acme = await hub.workspace();
});
afterAll(() => hub?.end());

it.each(RESERVED)('an observation cannot state the reserved name %s', async name => {
  const { status, body } = await tryRecord(acme, 'ada@acme.com', [state(name, 'forged')]);
  expect(status).toBe(400);
  expect(body).toMatchObject({ details: [{ field: 'property', message: expect.stringContaining('is reserved') }] });
});

it.each(['id', 'workspace_id', 'created_at'])('the form of a person cannot state %s', async name => {
  const { status, body } = await acme.post<ErrorBody>('/v2/people', { email: 'eve@acme.com', [name]: 'forged' });
  expect([status, body.error]).toEqual([400, 'invalid_request']);
});

it('the columns of a table with reserved names are stored and state nothing', async () => {
  const row = { email: 'bo@acme.com', title: 'CTO', id: 'row-1', created_at: '2020-01-01', constructor: 'x' };
  const { status } = await acme.post<Attached>('/v2/lead-lists/attach', { name: 'Table', rows: [row] });
  expect(status).toBeLessThan(300);
  const { body } = await acme.get<{ claims: object }>('/v2/accounts/bo@acme.com');
  expect(Object.keys(body.claims)).toContain('title');
  for (const name of RESERVED) expect(Object.keys(body.claims)).not.toContain(name);
});
