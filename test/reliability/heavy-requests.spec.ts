import { connect, type Socket } from 'node:net';
import { HEAVY_BODY_BYTES, MAX_HEAVY_PER_WORKSPACE } from '#kernel/limits/rate-limit.guard.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';
import { until } from '../support/until.js';

const PATH = '/v2/observations/from-text';
/** Requests of a workspace beside those that have their turn. */
const WAITING = 3;

let hub: TestHub;
let open: Socket[] = [];
beforeAll(async () => {
  hub = await startTestHub({ REQUEST_TIMEOUT_MS: '8000' });
});
afterEach(async () => {
  for (const socket of open) socket.destroy();
  open = [];
});
afterAll(() => hub.end());

/** Sends the head of a request and withholds the body. */
function withhold(client: Client, bytes: number): { readonly socket: Socket; received(): string } {
  const { hostname, port } = new URL(hub.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', chunk => (text += String(chunk)));
  socket.on('error', () => undefined);
  socket.write(
    `POST ${PATH} HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${client.key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
  );
  open.push(socket);
  return { socket, received: () => text };
}

const large = () => ({ focus: 'ada@acme.com', text: 'Ada is CRO. '.repeat(HEAVY_BODY_BYTES / 12 + 1) });
const statusOf = async (client: Client) => (await client.post(PATH, large())).status;

/**
 * Takes all turns of a workspace with requests whose bodies are withheld, until a further request has none. Each time more
 * of them wait before that request: they take the turns of the first ones, whose time is over a moment before its own.
 */
async function takeTurns(client: Client): Promise<Socket[]> {
  const holders: Socket[] = [];
  await until('the next one has no turn', async () => {
    for (let i = 0; i < MAX_HEAVY_PER_WORKSPACE; i++) holders.push(withhold(client, HEAVY_BODY_BYTES).socket);
    return (await statusOf(client)) === 503;
  });
  return holders;
}

describe('a workspace with as many heavy requests as it may have', () => {
  it('waits with further ones, while small ones and other workspaces pass', async () => {
    const [acme, other] = [await hub.workspace(), await hub.workspace()];
    await takeTurns(acme);
    expect((await acme.post(PATH, { focus: 'ada@acme.com', text: 'Ada is CRO.' })).status).toBe(200);
    expect(await statusOf(other)).toBe(200);
  });

  it('gives their turns to those that wait when the clients of the first ones hang up', async () => {
    const acme = await hub.workspace();
    const holders = await takeTurns(acme);
    const gone = withhold(acme, HEAVY_BODY_BYTES);
    gone.socket.destroy();
    const waiting = Array.from({ length: WAITING }, () => statusOf(acme));
    for (const socket of holders) socket.destroy();
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: WAITING }, () => 200));
    for (let i = 0; i < 2 * MAX_HEAVY_PER_WORKSPACE; i++) expect(await statusOf(acme)).toBe(200);
  });
});
