import { fileURLToPath } from 'node:url';
import { rapportHere } from '../support/process/rapport-command.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';
import { until } from '../support/until.js';

const PLUGINS_DIR = fileURLToPath(new URL('../fixtures/plugins/rough', import.meta.url));

let hub: TestHub;
let client: Client;

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR });
  client = await hub.workspace();
});
afterAll(() => hub?.end());

const plugins = (...words: string[]) => rapportHere(['admin', 'plugins', ...words], { DATABASE_URL: hub.database.url });
const seen = async () => (await client.get('/v2/plugins/rough/seen')).status;

it('lists what running hubs say, and has them follow within seconds', async () => {
  const list = await plugins('list');
  expect(list).toMatchObject({ code: 0, out: expect.stringMatching(/rough +1\.2\.3 +ready +1/) });
  expect(await plugins('disable', 'rough')).toMatchObject({ code: 0 });
  await until('it is gone', async () => (await seen()) === 404);
  expect((await plugins('list')).out).toMatch(/rough +1\.2\.3 +disabled +1 +An operator has disabled it/);
  expect(await plugins('enable', 'rough', '--json')).toMatchObject({ code: 0 });
  await until('it is back', async () => (await seen()) === 200);
  expect(await plugins('reload')).toMatchObject({ code: 0 });
  expect(await plugins('disable', 'ruogh')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Known plugins: rough'),
  });
});

it('shows dead jobs with their reason, and sends them again', async () => {
  const dead = async () =>
    (JSON.parse((await plugins('dead', 'rough', '--json')).out) as { dead: { job_id: string; reason: string }[] }).dead;
  await until('it serves', async () => (await seen()) === 200);
  await client.post('/v2/plugins/rough/jobs/ends', {});
  const [job] = await until('it has died', async () => {
    const found = await dead();
    return found.length > 0 && found;
  });
  expect(job).toMatchObject({ plugin: 'rough', kind: 'job', name: 'ends', reason: 'never again' });
  const again = await plugins('redrive', '--job', job!.job_id);
  expect(again).toMatchObject({ code: 0, out: 'Sent again: 1.\n' });
  await until('it has died again', async () => (await dead()).length === 1);
  expect(await plugins('redrive', '--job', client.workspaceId)).toMatchObject({ code: 1 });
});
