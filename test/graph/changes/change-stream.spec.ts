import { EventSourceParserStream } from 'eventsource-parser/stream';
import { ChangeFeedService, type ChangeNotice } from '#graph/changes/change-feed.service.js';
import { settleCommits } from '../../support/database/commit-order.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;

beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub?.end());

interface StreamEvent {
  readonly name: string | undefined;
  readonly id: string | undefined;
  readonly notice: ChangeNotice;
}

/** Listens to the changes of a workspace as a program does. */
async function listen(client: Client, { query = '', headers = {} as Record<string, string> } = {}) {
  const controller = new AbortController();
  const response = await fetch(`${hub.url}/v2/changes/stream${query}`, {
    headers: { authorization: `Bearer ${client.key}`, ...headers },
    signal: controller.signal,
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const reader = response
    .body!.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  const next = async (): Promise<StreamEvent | undefined> => {
    const { done, value } = await reader.read();
    return done ? undefined : { name: value.event, id: value.id, notice: JSON.parse(value.data) as ChangeNotice };
  };
  const opened = await next();
  expect(opened).toMatchObject({ name: 'open', id: expect.any(String) });
  return { opened: opened!, next, stop: () => controller.abort() };
}

const record = async (client: Client, email: string) => {
  const { body } = await client.post<{ entity_id: string }>('/v2/observations', {
    focus: email,
    observations: [
      { kind: 'state', property: 'title', value: 'CTO', source: 'crm' },
      { kind: 'event', property: 'interaction.reply', value: {}, source: 'mail' },
    ],
  });
  await settleCommits(hub);
  return body.entity_id;
};
const feeds = () => hub.app.get(ChangeFeedService, { strict: false })['feeds'];

describe('GET /v2/changes/stream', () => {
  it('tells those who listen to a workspace what has changed in it', async () => {
    const [acme, other] = [await hub.workspace(), await hub.workspace()];
    const [first, second, elsewhere] = [await listen(acme), await listen(acme), await listen(other)];
    expect(feeds().get(acme.workspaceId)).toMatchObject({ listeners: 2 });
    const ada = await record(acme, 'ada@gmail.com');
    const kim = await record(other, 'kim@gmail.com');
    for (const [stream, id] of [
      [first, ada],
      [second, ada],
      [elsewhere, kim],
    ] as const) {
      const event = await stream.next();
      expect(event).toEqual({
        name: 'changes',
        id: event!.notice.cursor,
        notice: {
          cursor: expect.any(String),
          kinds: ['claim', 'event'],
          entities: [{ type: 'person', id }],
          has_more: false,
        },
      });
    }
    for (const { stop } of [first, second, elsewhere]) stop();
  });

  it('tells a client that comes back what it has missed', async () => {
    const client = await hub.workspace();
    const before = await listen(client);
    before.stop();
    const id = await record(client, 'ada@gmail.com');
    for (const missed of [
      { headers: { 'last-event-id': before.opened.id! } },
      { query: `?after=${before.opened.id}` },
    ]) {
      const again = await listen(client, missed);
      const event = await again.next();
      expect(event!.notice.entities).toEqual([{ type: 'person', id }]);
      again.stop();
      const { body } = await client.get<{ changes: object[] }>(`/v2/changes?after=${event!.id}`);
      expect(body.changes).toEqual([]);
    }
  });

  it('ends when the key is revoked, and leaves nothing behind', async () => {
    const client = await hub.workspace();
    const { body } = await client.post<{ id: string; key: string }>('/v2/api-keys', {
      name: 'agent',
      scopes: ['read'],
    });
    const stream = await listen({ ...client, key: body.key });
    await client.delete(`/v2/api-keys/${body.id}`);
    expect(await stream.next()).toBeUndefined();
    expect(feeds().has(client.workspaceId)).toBe(false);
  });

  it('names the field of a cursor that is none', async () => {
    const client = await hub.workspace();
    const { status, body } = await client.get('/v2/changes/stream?after=nonsense');
    expect([status, body]).toMatchObject([400, { error: 'invalid_request', details: [{ field: 'after' }] }]);
    expect(feeds().has(client.workspaceId)).toBe(false);
  });
});
