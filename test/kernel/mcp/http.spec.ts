import { request } from 'node:http';
import { startFixtureApp } from '../../fixtures/mcp/fixture.app.js';
import { FixtureTools } from '../../fixtures/mcp/fixture.tools.js';

let served: Awaited<ReturnType<typeof startFixtureApp>>;

beforeAll(async () => {
  served = await startFixtureApp([FixtureTools]);
});

afterAll(() => served.app.close());

const HEADERS = {
  authorization: 'Bearer scale',
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

const call = (name: string, id: number | string = 1, more: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {}, ...more },
});

async function send(body: unknown, headers: Record<string, string> = {}, method = 'POST') {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const response = await fetch(served.url, {
    method,
    headers: { ...HEADERS, ...headers },
    ...(text !== undefined && { body: text }),
  });
  const answer = await response.text();
  const isJson = response.headers.get('content-type')?.includes('application/json');
  return {
    status: response.status,
    headers: response.headers,
    json: isJson ? JSON.parse(answer) : undefined,
    text: answer,
  };
}

/** Like `send`, but with a Host header of one's own, which fetch does not allow. */
function sendWithHost(host: string): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(served.url, { method: 'POST', headers: { ...HEADERS, host } }, response => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    outgoing.on('error', reject).end(JSON.stringify(call('count_aloud')));
  });
}

it.each(['GET', 'DELETE', 'PUT', 'PATCH'])('answers %s with 405, Allow and a JSON-RPC error', async method => {
  const { authorization } = HEADERS;
  const response = await fetch(served.url, { method, headers: { authorization } });
  expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({
    status: 405,
    allow: 'POST',
  });
  expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });
});

it.each(['', 'Bearer wrong', 'Basic scale'])(
  'answers the authorization "%s" with the body that was promised',
  async authorization => {
    const { status, headers, text } = await send(call('count_aloud'), { authorization });
    expect({ status, text }).toEqual({ status: 401, text: '{"error":"unauthorized"}' });
    expect(headers.get('www-authenticate')).toBe('Bearer realm="rapport"');
  },
);

it.each(['{"jsonrpc":', ''])('answers the unreadable body "%s" as JSON-RPC asks for', async body => {
  const { status, json } = await send(body);
  expect(status).toBe(400);
  expect(json).toMatchObject({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32700, data: { request_id: expect.any(String) } },
  });
});

it.each([{}, 'text', 7, null, { jsonrpc: '1.0', id: 1, method: 'ping' }])(
  'answers %j, which is no message',
  async body => {
    const { status, json } = await send(JSON.stringify(body));
    expect({ status, code: json.error.code }).toEqual({ status: 400, code: -32600 });
  },
);

it('refuses bodies and answers that are not JSON', async () => {
  const wrongType = await send('hello', { 'content-type': 'text/plain' });
  const wrongAccept = await send(call('count_aloud'), { accept: 'text/html' });
  expect([wrongType.status, wrongAccept.status]).toEqual([415, 406]);
  expect([wrongType.json.error.code, wrongAccept.json.error.code]).toEqual([-32000, -32000]);
});

it('answers a body over the limit in JSON-RPC', async () => {
  const { status, json } = await send(call('count_aloud', 1, { arguments: { padding: 'x'.repeat(1_100_000) } }));
  expect({ status, code: json.error.code }).toEqual({ status: 413, code: -32000 });
});

it('serves short batches and refuses long ones', async () => {
  const batch = (size: number) => Array.from({ length: size }, (_, id) => call('count_aloud', id));
  expect((await send(batch(20))).json).toHaveLength(20);
  expect(await send(batch(21))).toMatchObject({ status: 400, json: { error: { code: -32600 } } });
  expect(await send([])).toMatchObject({ status: 400, json: { error: { code: -32600 } } });
});

it('answers every request of a batch that also cancels one of them', async () => {
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  const { json } = await send([call('count_aloud', 1), cancel]);
  expect([json].flat()).toMatchObject([{ id: 1, result: { content: [{ text: 'counted' }] } }]);
});

it('ignores a request for a task, which it does not offer', async () => {
  const { json } = await send(call('count_aloud', 1, { task: { ttl: 1000 } }));
  expect(json.result.content).toEqual([{ type: 'text', text: 'counted' }]);
});

it('takes the idempotency key of the header, but not for several calls at once', async () => {
  const headers = { 'idempotency-key': 'k-2' };
  const one = await send(call('save_thing'), headers);
  const two = await send([call('save_thing', 1), call('save_thing', 2)], headers);
  expect(one.json.result.structuredContent.key).toBe('k-2');
  expect(two.json.map((answer: typeof one.json) => answer.result.structuredContent.key)).toEqual([null, null]);
});

it('keeps the headers that hooks have set, in both eras', async () => {
  const legacy = await send(call('count_aloud'));
  const modern = await send(call('count_aloud', 1, { _meta: MODERN_META }), MODERN_HEADERS);
  expect([legacy.status, modern.status]).toEqual([200, 200]);
  expect([legacy.headers.get('x-request-id'), modern.headers.get('x-request-id')]).not.toContain(null);
});

const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const MODERN_HEADERS = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'count_aloud',
};

it('tells modern clients how long a list holds and whose it is', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: MODERN_META } };
  const { json } = await send(list, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' });
  expect(json.result).toMatchObject({ ttlMs: 60_000, cacheScope: 'private', resultType: 'complete' });
});

it.each([
  ['2025', 'take them', {}, {}, true],
  ['2026', 'ask for them', { 'io.modelcontextprotocol/logLevel': 'info' }, MODERN_HEADERS, true],
  ['2026', 'do not', {}, MODERN_HEADERS, false],
])(
  'sends log lines to clients of the %s era that %s, without the details',
  async (era, _do, level, headers, received) => {
    const meta = era === '2026' ? { _meta: { ...MODERN_META, ...level } } : {};
    const { status, text } = await send(call('think_aloud', 1, meta), {
      ...headers,
      'mcp-name': 'think_aloud',
    });
    expect(status).toBe(200);
    expect(text.includes('"data":"thinking"')).toBe(received);
    expect(text).not.toContain('only the hub');
    expect(served.log.lines).toContainEqual({
      level: 'log',
      said: expect.objectContaining({
        msg: 'thinking',
        tool: 'think_aloud',
        about: 'what only the hub may know',
      }),
    });
  },
);

it('acknowledges who wants to hear nothing, and lets them go', async () => {
  const listen = {
    jsonrpc: '2.0',
    id: 9,
    method: 'subscriptions/listen',
    params: { _meta: MODERN_META, notifications: {} },
  };
  const { status, text } = await send(listen, {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  });
  expect(status).toBe(200);
  expect(text).toMatch(/notifications\/subscriptions\/acknowledged[^]*"id":9,"result"/);
});

it('takes the tools that headers name as it takes those of the address', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const { json } = await send(list, { 'x-mcp-tools': 'count_aloud, save_thing', 'x-mcp-readonly': 'true' });
  expect(json.result.tools.map(({ name }: { name: string }) => name)).toEqual(['count_aloud']);
});

it('knows no cursor, as the list of tools has one page', async () => {
  const { json } = await send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: 'abc' } });
  expect(json.error.code).toBe(-32602);
});

it('refuses foreign pages and foreign hosts, before it asks for a key', async () => {
  const from = async (origin: string) => (await send(call('count_aloud'), { origin, authorization: '' })).status;
  expect(await from('https://evil.example')).toBe(403);
  expect(await from('null')).toBe(403);
  expect(await from('https://rapport.example')).toBe(401);
  expect(await from('https://console.example')).toBe(401);
  expect(await from('http://localhost:5173')).toBe(401);
  expect(await sendWithHost('rebound.evil.example:3000')).toMatchObject({
    status: 403,
    text: expect.stringContaining('"jsonrpc"'),
  });
  expect(await sendWithHost('rapport.example')).toMatchObject({ status: 200 });
});

it.each([
  ['2025', {}, {}],
  ['2026', { _meta: MODERN_META }, { ...MODERN_HEADERS, 'mcp-name': 'wait_for_caller' }],
])('aborts the work for a caller of the %s era who has gone away', async (_era, params, headers) => {
  const tools = served.app.get(FixtureTools);
  Object.assign(tools, { callerLeft: Promise.withResolvers<void>(), waiting: Promise.withResolvers<void>() });
  const leaving = new AbortController();
  const body = JSON.stringify(call('wait_for_caller', 1, params));
  const answer = fetch(served.url, {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body,
    signal: leaving.signal,
  });
  await tools.waiting.promise;
  leaving.abort();
  await expect(answer).rejects.toThrow();
  await tools.callerLeft.promise;
});

it.each([
  ['tools/call', undefined, 'params is required: an object'],
  ['tools/call', { arguments: {} }, 'params.name is required: a text'],
  ['tools/call', { name: 'count_aloud', arguments: 'loud' }, 'params.arguments must be an object'],
  ['tools/call', { name: 'count_aloud', arguments: null }, 'params.arguments must be an object'],
  ['resources/read', { uri: 5 }, 'params.uri must be a text'],
  ['prompts/get', { name: 'any', arguments: { of: 5 } }, 'params.arguments.of must be a text'],
  ['tools/list', { cursor: 5 }, 'params.cursor must be a text'],
])('says in words what is wrong with the parameters of %s: %j', async (method, params, output) => {
  const { status, json } = await send({ jsonrpc: '2.0', id: 7, method, params });
  expect({ status, ...json }).toEqual({
    status: 200,
    jsonrpc: '2.0',
    id: 7,
    error: { code: -32602, message: `Invalid parameters: ${output}` },
  });
});
