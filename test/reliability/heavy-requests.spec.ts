import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { HEAVY_BODY_BYTES, MAX_HEAVY_PER_WORKSPACE } from '#kernel/limits/rate-limit.guard.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';
import { until } from '../support/until.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../plugins', import.meta.url));
const PATH = '/v2/observations/from-text';
/** Where a body may take any time, so that its turn does not end before the time of a request that waits for it. */
const UPLOADS = '/v2/plugins/csv-import/imports';
const BYTE_INTERVAL_MS = 1_000;
/** Requests of a workspace beside those that have their turn. */
const WAITING = 3;

let hub: TestHub;
let open: Socket[] = [];
beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR, REQUEST_TIMEOUT_MS: '8000' });
});
afterEach(async () => {
  for (const socket of open) socket.destroy();
  open = [];
});
afterAll(() => hub.end());

/** Sends the head of an upload and a byte of its body now and then, which ends long after every test. */
function uploadSlowly(client: Client): Socket {
  const { hostname, port } = new URL(hub.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    `POST ${UPLOADS} HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${client.key}\r\n` +
      `Content-Type: text/csv\r\nContent-Length: ${HEAVY_BODY_BYTES}\r\n\r\n`,
  );
  const timer = setInterval(() => socket.write('a'), BYTE_INTERVAL_MS);
  socket.on('close', () => clearInterval(timer));
  open.push(socket);
  return socket;
}

const large = () => ({ focus: 'ada@acme.com', text: 'Ada is CRO. '.repeat(HEAVY_BODY_BYTES / 12 + 1) });
const statusOf = async (client: Client) => (await client.post(PATH, large())).status;

/**
 * Takes all turns of a workspace with slow uploads, until a further request gets none in its time. A request that
 * overtakes them on the way is followed by another one.
 */
async function takeTurns(client: Client): Promise<Socket[]> {
  const holders = Array.from({ length: MAX_HEAVY_PER_WORKSPACE }, () => uploadSlowly(client));
  await until('the next one has no turn', async () => (await statusOf(client)) === 503);
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
    uploadSlowly(acme).destroy();
    const waiting = Array.from({ length: WAITING }, () => statusOf(acme));
    for (const socket of holders) socket.destroy();
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: WAITING }, () => 200));
    for (let i = 0; i < 2 * MAX_HEAVY_PER_WORKSPACE; i++) expect(await statusOf(acme)).toBe(200);
  });
});
