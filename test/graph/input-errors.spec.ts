import type { ErrorBody } from '../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub({ ROLE: 'api' });
  acme = await hub.workspace();
});
afterAll(() => hub?.end());

describe('POST /v2/people', () => {
  it.each([
    ['name', 5],
    ['name', {}],
    ['title', true],
    ['phone', {}],
    ['phone', []],
    ['job_title', ['CEO']],
  ])('refuses %s with the value %j and names it', async (field, value) => {
    const { status, body } = await acme.post<ErrorBody>('/v2/people', { email: 'ada@acme.com', [field]: value });
    expect(status).toBe(400);
    expect(body.details).toEqual([{ field, message: `${field} must be a text, or null to end the fact.` }]);
    expect((await acme.get('/v2/accounts/ada@acme.com')).status).toBe(404);
  });

  it('names an identifier that is empty', async () => {
    const { status, body } = await acme.post<ErrorBody>('/v2/people', { email: '', name: 'Ada' });
    expect([status, body.error]).toEqual([400, 'identifier_required']);
    expect(body.details).toEqual([
      { field: 'email', message: expect.stringMatching(/^email is empty: send an address/) },
    ]);
  });
});

describe('POST /v2/query', () => {
  it('refuses the body null', async () => {
    const { status, body } = await acme.post<ErrorBody>('/v2/query', null as unknown as object);
    expect(status).toBe(400);
    expect(body.details).toMatchObject([{ field: 'body' }]);
  });
});

describe('GET /v2/leads', () => {
  it.each(['play=work_now_please', `filter=${encodeURIComponent('{"play":{"$in":["work now","soon"]}}')}`])(
    'refuses a play that does not exist: %s',
    async query => {
      const { status, body } = await acme.get<ErrorBody>(`/v2/leads?${query}`);
      expect(status).toBe(400);
      expect(JSON.stringify(body.details)).toMatch(/one of research, nurture, work now, enrich, suppress/);
    },
  );

  it('takes one that does', async () => {
    expect((await acme.get('/v2/leads?play=work%20now')).status).toBe(200);
  });
});
