import { generateKey } from '#kernel/auth/key-format.js';
import { type Client, clientOf, startTestHub, type TestHub } from '../../support/hub.js';
import { rawRequest } from '../../support/network/raw-request.js';

let hub: TestHub;
let acme: Client;
beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
});
afterAll(() => hub.end());

describe('without a good key', () => {
  const body = { focus: 'ada@acme.com', observations: [{ kind: 'state', property: 'title', value: 'x' }] };

  it.each([
    ['no key', {}],
    ['a typo', { authorization: 'Bearer rap_live_000000000000000000000000000000000001' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
  ])('answers %s with 401 and says nothing else, whatever is sent', async (_, headers: Record<string, string>) => {
    for (const [path, sent] of [
      ['/v2/observations', JSON.stringify(body)],
      ['/v2/observations', '{"broken'],
      ['/v2/observations', 'x'.repeat(2_000_000)],
      ['/v2/no-such-thing', '{}'],
      ['/mcp', '{}'],
    ] as const) {
      const init = { method: 'POST', body: sent, headers: { 'content-type': 'application/json', ...headers } };
      const response = await fetch(hub.url + path, init);
      expect(response.status).toBe(401);
      expect(await response.text()).toBe('{"error":"unauthorized"}');
      const challenge = path === '/mcp' ? /^Bearer resource_metadata="/ : /^Bearer realm="rapport"$/;
      expect(response.headers.get('www-authenticate')).toMatch(challenge);
    }
  });

  it('never takes a key from the address', async () => {
    const { status } = await fetch(`${hub.url}/v2/accounts/ada@acme.com?key=${acme.key}`);
    expect(status).toBe(401);
  });

  it('looks a key up before the body is read', async () => {
    const { key } = generateKey();
    const headers = ['Content-Type: application/json', 'Content-Length: 1000000', `Authorization: Bearer ${key}`];
    // The body never comes: who waited for it would answer 408.
    const answer = await rawRequest(hub.url, 'POST /v2/observations', headers);
    expect([answer.status, answer.body]).toEqual([401, '{"error":"unauthorized"}']);
  });

  it('answers a well-formed key that nobody has like any other', async () => {
    const other = await startTestHub();
    const foreign = await other.workspace();
    const { status, body: message } = await clientOf(hub.url, foreign.key).get('/v2/accounts/ada@acme.com');
    expect({ status, said: message }).toEqual({ status: 401, said: { error: 'unauthorized' } });
    await other.end();
  });
});
