import { account, type ErrorBody, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

interface Evidence {
  readonly claim: { readonly value: unknown; readonly confidence: number };
  readonly why: { readonly code: string; readonly text: string };
  readonly statements: readonly {
    readonly observation_id: string;
    readonly value: unknown;
    readonly source: string;
    readonly role: string;
    readonly weight: number;
  }[];
  readonly periods: readonly { readonly value: unknown; readonly ended_by: { readonly source: string } }[];
  readonly series: readonly { readonly at: string; readonly confidence: number }[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

const EMAIL = 'ada@evidence.example';

let hub: TestHub;
let acme: Client;

const said = (value: unknown, observed_at: string, source: string, property = 'title') => ({
  ...state(property, value),
  observed_at: `${observed_at}T00:00:00Z`,
  source,
});
const read = async (query = '', property = 'title') => {
  const { status, body } = await acme.get<Evidence>(`/v2/accounts/${EMAIL}/claims/${property}${query}`);
  expect(status).toBe(200);
  return body;
};

beforeAll(async () => {
  hub = await startTestHub();
});
beforeEach(async () => {
  acme = await hub.workspace();
  await record(acme, EMAIL, [
    said('Head of Sales', '2026-01-10', 'crm:hubspot'),
    said('VP Sales', '2026-09-01', 'linkedin'),
    said('VP Sales', '2026-10-01', 'agent'),
  ]);
});
afterAll(() => hub?.end());

describe('GET /v2/accounts/:id/claims/:property', () => {
  it('returns the claim of the account with its reason, statements, earlier values and series', async () => {
    const evidence = await read();
    expect(evidence.claim).toEqual((await account(acme, EMAIL)).claims['title']);
    expect(evidence.why).toMatchObject({ code: 'opposed', text: expect.stringContaining('“Head of Sales”') });
    expect(evidence.statements.map(({ source, value, role }) => [source, value, role])).toEqual([
      ['agent', 'VP Sales', 'supports'],
      ['linkedin', 'VP Sales', 'supports'],
      ['crm:hubspot', 'Head of Sales', 'opposes'],
    ]);
    expect(evidence.periods).toMatchObject([{ value: 'Head of Sales', ended_by: { source: 'linkedin' } }]);
    expect(evidence.series).toHaveLength(6);
    expect(evidence.series.at(-1)!.confidence).toBe(evidence.claim.confidence);
  });

  it('shows another day, and what was known then', async () => {
    const before = await read('?as_of=2026-08-01T00:00:00Z');
    expect(before.claim.value).toBe('Head of Sales');
    expect(before.statements).toHaveLength(1);
    expect(before.series.at(-1)!.at).toBe('2026-08-01T00:00:00.000000Z');
    const nothing = await acme.get<ErrorBody>(`/v2/accounts/${EMAIL}/claims/title?known_at=2026-11-01T00:00:00Z`);
    expect([nothing.status, nothing.body.error]).toEqual([404, 'not_found']);
  });

  it('pages through the statements', async () => {
    const first = await read('?limit=2');
    expect([first.statements.length, first.has_more]).toEqual([2, true]);
    const second = await read(`?limit=2&cursor=${first.next_cursor}`);
    expect(second.statements.map(({ source }) => source)).toEqual(['crm:hubspot']);
    expect([second.has_more, second.next_cursor]).toEqual([false, null]);
    await record(acme, 'bob@evidence.example', [said('CTO', '2026-10-01', 'agent')]);
    const foreign = await acme.get<ErrorBody>(
      `/v2/accounts/bob@evidence.example/claims/title?cursor=${first.next_cursor}`,
    );
    expect([foreign.status, foreign.body.error]).toEqual([400, 'cursor_mismatch']);
  });

  it('follows a merge, and shows each value of a property that has many', async () => {
    await record(acme, EMAIL, [
      said(['Salesforce', 'Gong'], '2026-09-01', 'agent', 'technologies'),
      said(['Gong'], '2026-10-01', 'crm:hubspot', 'technologies'),
    ]);
    const many = await read('', 'technologies');
    expect(many.claim.value).toEqual(['Gong', 'Salesforce']);
    expect(many.statements.map(({ role }) => role)).toEqual(['supports', 'supports']);
    await record(acme, 'ada@home.example', [said('Chief Revenue Officer', '2026-11-01', 'agent')]);
    const merge = await acme.post('/v2/entities/merge', { a: EMAIL, b: 'ada@home.example', reason: 'same person' });
    expect(merge.status).toBe(200);
    const merged = await read();
    expect(merged.claim.value).toBe('Chief Revenue Officer');
    expect(merged.statements).toHaveLength(4);
  });

  it('names what it does not know', async () => {
    const property = await acme.get<ErrorBody>(`/v2/accounts/${EMAIL}/claims/shoe_size`);
    expect(property.body).toMatchObject({ error: 'not_found', detail: expect.stringContaining('`shoe_size`') });
    const person = await acme.get<ErrorBody>('/v2/accounts/nobody@evidence.example/claims/title');
    expect(person.body.error).toBe('entity_not_found');
    const bad = await acme.get<ErrorBody>(`/v2/accounts/${EMAIL}/claims/title?limit=0&as_of=yesterday`);
    expect(bad.body).toMatchObject({ details: [{ field: 'as_of' }, { field: 'limit' }] });
  });

  it('is of one workspace', async () => {
    const other = await hub.workspace();
    expect((await other.get(`/v2/accounts/${EMAIL}/claims/title`)).status).toBe(404);
  });
});
